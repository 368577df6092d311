//! UBL 2.1, Invoice and CreditNote: Peppol BIS Billing, XRechnung. Source: CEN/TS 16931-3-2:2020.

use super::mapping::{Group, Layout, Syntax, Value};
use Layout::{Lines, Table};
use Value::{First, Joined, Path};

pub(super) const UBL: Syntax = Syntax {
    roots: &["ubl:Invoice", "ubl:CreditNote"],
    aliases: &[],
    currency: "cbc:DocumentCurrencyCode",
    groups: GROUPS,
    invoices: None,
};

const GROUPS: &[Group] = &[
    Group { heading: "Invoice", at: &[""], layout: Lines, fields: INVOICE },
    Group {
        heading: "Seller",
        at: &["cac:AccountingSupplierParty/cac:Party"],
        layout: Lines,
        fields: SELLER,
    },
    Group { heading: "Buyer", at: &["cac:AccountingCustomerParty/cac:Party"], layout: Lines, fields: BUYER },
    Group { heading: "References and notes", at: &[""], layout: Lines, fields: REFERENCES },
    Group { heading: "Payee", at: &["cac:PayeeParty"], layout: Lines, fields: PAYEE },
    Group {
        heading: "Seller tax representative",
        at: &["cac:TaxRepresentativeParty"],
        layout: Lines,
        fields: REPRESENTATIVE,
    },
    Group { heading: "Delivery", at: &["cac:Delivery"], layout: Lines, fields: DELIVERY },
    Group { heading: "Payment", at: &["cac:PaymentMeans"], layout: Lines, fields: PAYMENT },
    Group {
        heading: "Invoiced object",
        at: &["cac:AdditionalDocumentReference[cbc:DocumentTypeCode=130]"],
        layout: Lines,
        fields: &[("BT-18", Path("cbc:ID"))],
    },
    Group {
        heading: "Supporting documents",
        at: &["cac:AdditionalDocumentReference[cbc:DocumentTypeCode!=130]"],
        layout: Lines,
        fields: SUPPORTING,
    },
    Group {
        heading: "Invoice lines",
        at: &["cac:InvoiceLine", "cac:CreditNoteLine"],
        layout: Table,
        fields: LINES,
    },
    Group {
        heading: "Allowances",
        at: &["cac:AllowanceCharge[cbc:ChargeIndicator=false]"],
        layout: Table,
        fields: ALLOWANCES,
    },
    Group {
        heading: "Charges",
        at: &["cac:AllowanceCharge[cbc:ChargeIndicator=true]"],
        layout: Table,
        fields: CHARGES,
    },
    Group {
        heading: "VAT breakdown",
        at: &["cac:TaxTotal/cac:TaxSubtotal"],
        layout: Table,
        fields: BREAKDOWN,
    },
    Group { heading: "Totals", at: &[""], layout: Lines, fields: TOTALS },
];

const INVOICE: &[(&str, Value)] = &[
    ("BT-1", Path("cbc:ID")),
    ("BT-2", Path("cbc:IssueDate")),
    ("BT-3", First(&[Path("cbc:InvoiceTypeCode"), Path("cbc:CreditNoteTypeCode")])),
    ("BT-9", First(&[Path("cbc:DueDate"), Path("cac:PaymentMeans/cbc:PaymentDueDate")])),
    ("BT-5", Path("cbc:DocumentCurrencyCode")),
    ("BT-6", Path("cbc:TaxCurrencyCode")),
    ("BT-7", Path("cbc:TaxPointDate")),
    ("BT-8", Path("cac:InvoicePeriod/cbc:DescriptionCode")),
    ("BT-73", Path("cac:InvoicePeriod/cbc:StartDate")),
    ("BT-74", Path("cac:InvoicePeriod/cbc:EndDate")),
];

const REFERENCES: &[(&str, Value)] = &[
    ("BT-10", Path("cbc:BuyerReference")),
    ("BT-13", Path("cac:OrderReference/cbc:ID")),
    ("BT-14", Path("cac:OrderReference/cbc:SalesOrderID")),
    ("BT-11", Path("cac:ProjectReference/cbc:ID")),
    ("BT-12", Path("cac:ContractDocumentReference/cbc:ID")),
    ("BT-15", Path("cac:ReceiptDocumentReference/cbc:ID")),
    ("BT-16", Path("cac:DespatchDocumentReference/cbc:ID")),
    ("BT-17", Path("cac:OriginatorDocumentReference/cbc:ID")),
    ("BT-19", Path("cbc:AccountingCost")),
    ("BT-25", Path("cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID")),
    ("BT-26", Path("cac:BillingReference/cac:InvoiceDocumentReference/cbc:IssueDate")),
    ("BT-20", Path("cac:PaymentTerms/cbc:Note")),
    ("BT-22", Path("cbc:Note")),
    ("BT-23", Path("cbc:ProfileID")),
    ("BT-24", Path("cbc:CustomizationID")),
];

const NAME: Value =
    First(&[Path("cac:PartyLegalEntity/cbc:RegistrationName"), Path("cac:PartyName/cbc:Name")]);

const ADDRESS: Value = Joined(
    ", ",
    &[
        Path("cac:PostalAddress/cbc:StreetName"),
        Path("cac:PostalAddress/cbc:AdditionalStreetName"),
        Path("cac:PostalAddress/cac:AddressLine/cbc:Line"),
        Joined(" ", &[Path("cac:PostalAddress/cbc:PostalZone"), Path("cac:PostalAddress/cbc:CityName")]),
        Path("cac:PostalAddress/cbc:CountrySubentity"),
        Path("cac:PostalAddress/cac:Country/cbc:IdentificationCode"),
    ],
);

const SELLER: &[(&str, Value)] = &[
    ("BT-27", NAME),
    ("BT-28", Path("cac:PartyName/cbc:Name")),
    ("BT-31", Path("cac:PartyTaxScheme[cac:TaxScheme/cbc:ID=VAT]/cbc:CompanyID")),
    ("BT-32", Path("cac:PartyTaxScheme[cac:TaxScheme/cbc:ID!=VAT]/cbc:CompanyID")),
    ("BG-5", ADDRESS),
    ("BT-35", Path("cac:PostalAddress/cbc:StreetName")),
    ("BT-36", Path("cac:PostalAddress/cbc:AdditionalStreetName")),
    ("BT-162", Path("cac:PostalAddress/cac:AddressLine/cbc:Line")),
    ("BT-37", Path("cac:PostalAddress/cbc:CityName")),
    ("BT-38", Path("cac:PostalAddress/cbc:PostalZone")),
    ("BT-39", Path("cac:PostalAddress/cbc:CountrySubentity")),
    ("BT-40", Path("cac:PostalAddress/cac:Country/cbc:IdentificationCode")),
    ("BT-29", Path("cac:PartyIdentification/cbc:ID[@schemeID!=SEPA]")),
    ("BT-90", Path("cac:PartyIdentification/cbc:ID[@schemeID=SEPA]")),
    ("BT-30", Path("cac:PartyLegalEntity/cbc:CompanyID")),
    ("BT-33", Path("cac:PartyLegalEntity/cbc:CompanyLegalForm")),
    ("BT-34", Path("cbc:EndpointID")),
    ("BT-41", Path("cac:Contact/cbc:Name")),
    ("BT-42", Path("cac:Contact/cbc:Telephone")),
    ("BT-43", Path("cac:Contact/cbc:ElectronicMail")),
];

const BUYER: &[(&str, Value)] = &[
    ("BT-44", NAME),
    ("BT-45", Path("cac:PartyName/cbc:Name")),
    ("BT-48", Path("cac:PartyTaxScheme/cbc:CompanyID")),
    ("BG-8", ADDRESS),
    ("BT-50", Path("cac:PostalAddress/cbc:StreetName")),
    ("BT-51", Path("cac:PostalAddress/cbc:AdditionalStreetName")),
    ("BT-163", Path("cac:PostalAddress/cac:AddressLine/cbc:Line")),
    ("BT-52", Path("cac:PostalAddress/cbc:CityName")),
    ("BT-53", Path("cac:PostalAddress/cbc:PostalZone")),
    ("BT-54", Path("cac:PostalAddress/cbc:CountrySubentity")),
    ("BT-55", Path("cac:PostalAddress/cac:Country/cbc:IdentificationCode")),
    ("BT-46", Path("cac:PartyIdentification/cbc:ID")),
    ("BT-47", Path("cac:PartyLegalEntity/cbc:CompanyID")),
    ("BT-49", Path("cbc:EndpointID")),
    ("BT-56", Path("cac:Contact/cbc:Name")),
    ("BT-57", Path("cac:Contact/cbc:Telephone")),
    ("BT-58", Path("cac:Contact/cbc:ElectronicMail")),
];

const PAYEE: &[(&str, Value)] = &[
    ("BT-59", Path("cac:PartyName/cbc:Name")),
    ("BT-60", Path("cac:PartyIdentification/cbc:ID[@schemeID!=SEPA]")),
    ("BT-90", Path("cac:PartyIdentification/cbc:ID[@schemeID=SEPA]")),
    ("BT-61", Path("cac:PartyLegalEntity/cbc:CompanyID")),
];

const REPRESENTATIVE: &[(&str, Value)] = &[
    ("BT-62", Path("cac:PartyName/cbc:Name")),
    ("BT-63", Path("cac:PartyTaxScheme[cac:TaxScheme/cbc:ID=VAT]/cbc:CompanyID")),
    ("BG-12", ADDRESS),
];

const DELIVERY: &[(&str, Value)] = &[
    ("BT-72", Path("cbc:ActualDeliveryDate")),
    ("BT-70", Path("cac:DeliveryParty/cac:PartyName/cbc:Name")),
    ("BT-71", Path("cac:DeliveryLocation/cbc:ID")),
    (
        "BG-15",
        Joined(
            ", ",
            &[
                Path("cac:DeliveryLocation/cac:Address/cbc:StreetName"),
                Path("cac:DeliveryLocation/cac:Address/cbc:AdditionalStreetName"),
                Path("cac:DeliveryLocation/cac:Address/cac:AddressLine/cbc:Line"),
                Joined(
                    " ",
                    &[
                        Path("cac:DeliveryLocation/cac:Address/cbc:PostalZone"),
                        Path("cac:DeliveryLocation/cac:Address/cbc:CityName"),
                    ],
                ),
                Path("cac:DeliveryLocation/cac:Address/cbc:CountrySubentity"),
                Path("cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode"),
            ],
        ),
    ),
];

const PAYMENT: &[(&str, Value)] = &[
    ("BT-81", Path("cbc:PaymentMeansCode")),
    ("BT-82", Path("cbc:PaymentMeansCode/@name")),
    ("BT-83", Path("cbc:PaymentID")),
    ("BT-84", Path("cac:PayeeFinancialAccount/cbc:ID")),
    ("BT-85", Path("cac:PayeeFinancialAccount/cbc:Name")),
    ("BT-86", Path("cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID")),
    ("BT-87", Path("cac:CardAccount/cbc:PrimaryAccountNumberID")),
    ("BT-88", Path("cac:CardAccount/cbc:HolderName")),
    ("BT-89", Path("cac:PaymentMandate/cbc:ID")),
    ("BT-91", Path("cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID")),
];

const SUPPORTING: &[(&str, Value)] = &[
    ("BT-122", Path("cbc:ID")),
    ("BT-123", Path("cbc:DocumentDescription")),
    ("BT-124", Path("cac:Attachment/cac:ExternalReference/cbc:URI")),
    ("BT-125", Path("cac:Attachment/cbc:EmbeddedDocumentBinaryObject/@filename")),
];

const LINES: &[(&str, Value)] = &[
    ("BT-126", Path("cbc:ID")),
    ("BT-153", Path("cac:Item/cbc:Name")),
    ("BT-154", Path("cac:Item/cbc:Description")),
    ("BT-155", Path("cac:Item/cac:SellersItemIdentification/cbc:ID")),
    ("BT-156", Path("cac:Item/cac:BuyersItemIdentification/cbc:ID")),
    ("BT-157", Path("cac:Item/cac:StandardItemIdentification/cbc:ID")),
    ("BT-129", QUANTITY),
    ("BT-130", First(&[Path("cbc:InvoicedQuantity/@unitCode"), Path("cbc:CreditedQuantity/@unitCode")])),
    ("BT-146", Path("cac:Price/cbc:PriceAmount")),
    ("BT-149", Path("cac:Price/cbc:BaseQuantity")),
    ("BT-151", Path("cac:Item/cac:ClassifiedTaxCategory[cac:TaxScheme/cbc:ID=VAT]/cbc:ID")),
    ("BT-152", Path("cac:Item/cac:ClassifiedTaxCategory/cbc:Percent")),
    ("BT-131", Path("cbc:LineExtensionAmount")),
    ("BT-134", Path("cac:InvoicePeriod/cbc:StartDate")),
    ("BT-135", Path("cac:InvoicePeriod/cbc:EndDate")),
    ("BT-127", Path("cbc:Note")),
];

const QUANTITY: Value = First(&[Path("cbc:InvoicedQuantity"), Path("cbc:CreditedQuantity")]);

const ALLOWANCES: &[(&str, Value)] = &[
    ("BT-97", Path("cbc:AllowanceChargeReason")),
    ("BT-98", Path("cbc:AllowanceChargeReasonCode")),
    ("BT-93", Path("cbc:BaseAmount")),
    ("BT-94", Path("cbc:MultiplierFactorNumeric")),
    ("BT-95", Path("cac:TaxCategory[cac:TaxScheme/cbc:ID=VAT]/cbc:ID")),
    ("BT-96", Path("cac:TaxCategory/cbc:Percent")),
    ("BT-92", Path("cbc:Amount")),
];

const CHARGES: &[(&str, Value)] = &[
    ("BT-104", Path("cbc:AllowanceChargeReason")),
    ("BT-105", Path("cbc:AllowanceChargeReasonCode")),
    ("BT-100", Path("cbc:BaseAmount")),
    ("BT-101", Path("cbc:MultiplierFactorNumeric")),
    ("BT-102", Path("cac:TaxCategory[cac:TaxScheme/cbc:ID=VAT]/cbc:ID")),
    ("BT-103", Path("cac:TaxCategory/cbc:Percent")),
    ("BT-99", Path("cbc:Amount")),
];

const BREAKDOWN: &[(&str, Value)] = &[
    ("BT-118", Path("cac:TaxCategory[cac:TaxScheme/cbc:ID=VAT]/cbc:ID")),
    ("BT-119", Path("cac:TaxCategory/cbc:Percent")),
    ("BT-116", Path("cbc:TaxableAmount")),
    ("BT-117", Path("cbc:TaxAmount")),
    ("BT-120", Path("cac:TaxCategory/cbc:TaxExemptionReason")),
    ("BT-121", Path("cac:TaxCategory/cbc:TaxExemptionReasonCode")),
];

const TOTALS: &[(&str, Value)] = &[
    ("BT-106", Path("cac:LegalMonetaryTotal/cbc:LineExtensionAmount")),
    ("BT-107", Path("cac:LegalMonetaryTotal/cbc:AllowanceTotalAmount")),
    ("BT-108", Path("cac:LegalMonetaryTotal/cbc:ChargeTotalAmount")),
    ("BT-109", Path("cac:LegalMonetaryTotal/cbc:TaxExclusiveAmount")),
    ("BT-110", Path("cac:TaxTotal/cbc:TaxAmount[@currencyID=$]")),
    ("BT-111", Path("cac:TaxTotal/cbc:TaxAmount[@currencyID!=$]")),
    ("BT-112", Path("cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount")),
    ("BT-113", Path("cac:LegalMonetaryTotal/cbc:PrepaidAmount")),
    ("BT-114", Path("cac:LegalMonetaryTotal/cbc:PayableRoundingAmount")),
    ("BT-115", Path("cac:LegalMonetaryTotal/cbc:PayableAmount")),
];
