//! The Cross Industry Invoice of UN/CEFACT: Factur-X, ZUGFeRD, XRechnung. Source: CEN/TS 16931-3-3:2020. Elements
//! of ZUGFeRD 1.0, an earlier version, have other names.

use super::cii_tables::{ALLOWANCES, BREAKDOWN, CHARGES, LINES, TOTALS};
use super::mapping::{Group, Layout, Syntax, Value};
use Layout::{Lines, Table};
use Value::{First, Joined, Path};

pub(super) const CII: Syntax = Syntax {
    roots: &["rsm:CrossIndustryInvoice", "rsm:CrossIndustryDocument"],
    aliases: &[
        ("rsm:HeaderExchangedDocument", "rsm:ExchangedDocument"),
        ("rsm:SpecifiedExchangedDocumentContext", "rsm:ExchangedDocumentContext"),
        ("rsm:SpecifiedSupplyChainTradeTransaction", "rsm:SupplyChainTradeTransaction"),
        ("ram:ApplicableSupplyChainTradeAgreement", "ram:ApplicableHeaderTradeAgreement"),
        ("ram:ApplicableSupplyChainTradeDelivery", "ram:ApplicableHeaderTradeDelivery"),
        ("ram:ApplicableSupplyChainTradeSettlement", "ram:ApplicableHeaderTradeSettlement"),
        ("ram:SpecifiedSupplyChainTradeAgreement", "ram:SpecifiedLineTradeAgreement"),
        ("ram:SpecifiedSupplyChainTradeDelivery", "ram:SpecifiedLineTradeDelivery"),
        ("ram:SpecifiedSupplyChainTradeSettlement", "ram:SpecifiedLineTradeSettlement"),
        (
            "ram:SpecifiedTradeSettlementMonetarySummation",
            "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
        ),
        ("ram:ApplicablePercent", "ram:RateApplicablePercent"),
    ],
    currency: "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:InvoiceCurrencyCode",
    groups: GROUPS,
    invoices: None,
};

const GROUPS: &[Group] = &[
    Group { heading: "Invoice", at: &[""], layout: Lines, fields: INVOICE },
    Group {
        heading: "Seller",
        at: &["rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:SellerTradeParty"],
        layout: Lines,
        fields: SELLER,
    },
    Group {
        heading: "Buyer",
        at: &["rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:BuyerTradeParty"],
        layout: Lines,
        fields: BUYER,
    },
    Group { heading: "References and notes", at: &[""], layout: Lines, fields: REFERENCES },
    Group {
        heading: "Payee",
        at: &["rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:PayeeTradeParty"],
        layout: Lines,
        fields: PAYEE,
    },
    Group {
        heading: "Seller tax representative",
        at: &[
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:SellerTaxRepresentativeTradeParty",
        ],
        layout: Lines,
        fields: REPRESENTATIVE,
    },
    Group {
        heading: "Delivery",
        at: &["rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery"],
        layout: Lines,
        fields: &[("BT-72", Path("ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime"))],
    },
    Group {
        heading: "Deliver to",
        at: &["rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery/ram:ShipToTradeParty"],
        layout: Lines,
        fields: DELIVERY,
    },
    Group {
        heading: "Payment",
        at: &[
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:SpecifiedTradeSettlementPaymentMeans",
        ],
        layout: Lines,
        fields: PAYMENT,
    },
    Group {
        heading: "Payment reference",
        at: &["rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement"],
        layout: Lines,
        fields: SETTLEMENT,
    },
    Group {
        heading: "Supporting documents",
        at: &[
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:AdditionalReferencedDocument",
        ],
        layout: Lines,
        fields: SUPPORTING,
    },
    Group {
        heading: "Invoice lines",
        at: &["rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem"],
        layout: Table,
        fields: LINES,
    },
    Group {
        heading: "Allowances",
        at: &[
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=false]",
        ],
        layout: Table,
        fields: ALLOWANCES,
    },
    Group {
        heading: "Charges",
        at: &[
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator=true]",
        ],
        layout: Table,
        fields: CHARGES,
    },
    Group {
        heading: "VAT breakdown",
        at: &[
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax[ram:TypeCode=VAT]",
        ],
        layout: Table,
        fields: BREAKDOWN,
    },
    Group {
        heading: "Totals",
        at: &[
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:SpecifiedTradeSettlementHeaderMonetarySummation",
        ],
        layout: Lines,
        fields: TOTALS,
    },
];

const INVOICE: &[(&str, Value)] = &[
    ("BT-1", Path("rsm:ExchangedDocument/ram:ID")),
    ("BT-2", Path("rsm:ExchangedDocument/ram:IssueDateTime")),
    ("BT-3", Path("rsm:ExchangedDocument/ram:TypeCode")),
    (
        "BT-9",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime",
        ),
    ),
    (
        "BT-5",
        Path("rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:InvoiceCurrencyCode"),
    ),
    ("BT-6", Path("rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:TaxCurrencyCode")),
    (
        "BT-7",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax/ram:TaxPointDate",
        ),
    ),
    (
        "BT-8",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax/ram:DueDateTypeCode",
        ),
    ),
    (
        "BT-73",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:BillingSpecifiedPeriod/ram:StartDateTime",
        ),
    ),
    (
        "BT-74",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:BillingSpecifiedPeriod/ram:EndDateTime",
        ),
    ),
];

const REFERENCES: &[(&str, Value)] = &[
    ("BT-10", Path("rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:BuyerReference")),
    (
        "BT-13",
        First(&[
            Path(
                "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID",
            ),
            Path(
                "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:BuyerOrderReferencedDocument/ram:ID",
            ),
        ]),
    ),
    (
        "BT-14",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:SellerOrderReferencedDocument/ram:IssuerAssignedID",
        ),
    ),
    (
        "BT-11",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:SpecifiedProcuringProject/ram:ID",
        ),
    ),
    (
        "BT-12",
        First(&[
            Path(
                "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:ContractReferencedDocument/ram:IssuerAssignedID",
            ),
            Path(
                "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeAgreement/ram:ContractReferencedDocument/ram:ID",
            ),
        ]),
    ),
    (
        "BT-15",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery/ram:ReceivingAdviceReferencedDocument/ram:IssuerAssignedID",
        ),
    ),
    (
        "BT-16",
        First(&[
            Path(
                "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery/ram:DespatchAdviceReferencedDocument/ram:IssuerAssignedID",
            ),
            Path(
                "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeDelivery/ram:DeliveryNoteReferencedDocument/ram:ID",
            ),
        ]),
    ),
    (
        "BT-19",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID",
        ),
    ),
    (
        "BT-25",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:InvoiceReferencedDocument/ram:IssuerAssignedID",
        ),
    ),
    (
        "BT-26",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:InvoiceReferencedDocument/ram:FormattedIssueDateTime",
        ),
    ),
    (
        "BT-20",
        Path(
            "rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:SpecifiedTradePaymentTerms/ram:Description",
        ),
    ),
    ("BT-22", Path("rsm:ExchangedDocument/ram:IncludedNote/ram:Content")),
    (
        "BT-23",
        Path("rsm:ExchangedDocumentContext/ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID"),
    ),
    ("BT-24", Path("rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID")),
];

const ADDRESS: Value = Joined(
    ", ",
    &[
        Path("ram:PostalTradeAddress/ram:LineOne"),
        Path("ram:PostalTradeAddress/ram:LineTwo"),
        Path("ram:PostalTradeAddress/ram:LineThree"),
        Joined(
            " ",
            &[Path("ram:PostalTradeAddress/ram:PostcodeCode"), Path("ram:PostalTradeAddress/ram:CityName")],
        ),
        Path("ram:PostalTradeAddress/ram:CountrySubDivisionName"),
        Path("ram:PostalTradeAddress/ram:CountryID"),
    ],
);

const PHONE: &str = "ram:DefinedTradeContact/ram:TelephoneUniversalCommunication/ram:CompleteNumber";
const MAIL: &str = "ram:DefinedTradeContact/ram:EmailURIUniversalCommunication/ram:URIID";
const VAT_IDENTIFIER: &str = "ram:SpecifiedTaxRegistration/ram:ID[@schemeID=VA]";

const SELLER: &[(&str, Value)] = &[
    ("BT-27", Path("ram:Name")),
    ("BT-28", Path("ram:SpecifiedLegalOrganization/ram:TradingBusinessName")),
    ("BT-31", Path(VAT_IDENTIFIER)),
    ("BT-32", Path("ram:SpecifiedTaxRegistration/ram:ID[@schemeID!=VA]")),
    ("BG-5", ADDRESS),
    ("BT-35", Path("ram:PostalTradeAddress/ram:LineOne")),
    ("BT-36", Path("ram:PostalTradeAddress/ram:LineTwo")),
    ("BT-162", Path("ram:PostalTradeAddress/ram:LineThree")),
    ("BT-37", Path("ram:PostalTradeAddress/ram:CityName")),
    ("BT-38", Path("ram:PostalTradeAddress/ram:PostcodeCode")),
    ("BT-39", Path("ram:PostalTradeAddress/ram:CountrySubDivisionName")),
    ("BT-40", Path("ram:PostalTradeAddress/ram:CountryID")),
    ("BT-29", Path("ram:ID")),
    ("BT-29", Path("ram:GlobalID")),
    ("BT-30", Path("ram:SpecifiedLegalOrganization/ram:ID")),
    ("BT-33", Path("ram:Description")),
    ("BT-34", Path("ram:URIUniversalCommunication/ram:URIID")),
    (
        "BT-41",
        First(&[
            Path("ram:DefinedTradeContact/ram:PersonName"),
            Path("ram:DefinedTradeContact/ram:DepartmentName"),
        ]),
    ),
    ("BT-42", Path(PHONE)),
    ("BT-43", Path(MAIL)),
];

const BUYER: &[(&str, Value)] = &[
    ("BT-44", Path("ram:Name")),
    ("BT-45", Path("ram:SpecifiedLegalOrganization/ram:TradingBusinessName")),
    ("BT-48", Path(VAT_IDENTIFIER)),
    ("BG-8", ADDRESS),
    ("BT-50", Path("ram:PostalTradeAddress/ram:LineOne")),
    ("BT-51", Path("ram:PostalTradeAddress/ram:LineTwo")),
    ("BT-163", Path("ram:PostalTradeAddress/ram:LineThree")),
    ("BT-52", Path("ram:PostalTradeAddress/ram:CityName")),
    ("BT-53", Path("ram:PostalTradeAddress/ram:PostcodeCode")),
    ("BT-54", Path("ram:PostalTradeAddress/ram:CountrySubDivisionName")),
    ("BT-55", Path("ram:PostalTradeAddress/ram:CountryID")),
    ("BT-46", Path("ram:ID")),
    ("BT-46", Path("ram:GlobalID")),
    ("BT-47", Path("ram:SpecifiedLegalOrganization/ram:ID")),
    ("BT-49", Path("ram:URIUniversalCommunication/ram:URIID")),
    (
        "BT-56",
        First(&[
            Path("ram:DefinedTradeContact/ram:PersonName"),
            Path("ram:DefinedTradeContact/ram:DepartmentName"),
        ]),
    ),
    ("BT-57", Path(PHONE)),
    ("BT-58", Path(MAIL)),
];

const PAYEE: &[(&str, Value)] = &[
    ("BT-59", Path("ram:Name")),
    ("BT-60", Path("ram:ID")),
    ("BT-60", Path("ram:GlobalID")),
    ("BT-61", Path("ram:SpecifiedLegalOrganization/ram:ID")),
];

const REPRESENTATIVE: &[(&str, Value)] =
    &[("BT-62", Path("ram:Name")), ("BT-63", Path(VAT_IDENTIFIER)), ("BG-12", ADDRESS)];

const DELIVERY: &[(&str, Value)] = &[
    ("BT-70", Path("ram:Name")),
    ("BT-71", Path("ram:ID")),
    ("BT-71", Path("ram:GlobalID")),
    ("BG-15", ADDRESS),
];

const PAYMENT: &[(&str, Value)] = &[
    ("BT-81", Path("ram:TypeCode")),
    ("BT-82", Path("ram:Information")),
    (
        "BT-84",
        First(&[
            Path("ram:PayeePartyCreditorFinancialAccount/ram:IBANID"),
            Path("ram:PayeePartyCreditorFinancialAccount/ram:ProprietaryID"),
        ]),
    ),
    ("BT-85", Path("ram:PayeePartyCreditorFinancialAccount/ram:AccountName")),
    ("BT-86", Path("ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID")),
    ("BT-87", Path("ram:ApplicableTradeSettlementFinancialCard/ram:ID")),
    ("BT-88", Path("ram:ApplicableTradeSettlementFinancialCard/ram:CardholderName")),
    ("BT-91", Path("ram:PayerPartyDebtorFinancialAccount/ram:IBANID")),
];

const SETTLEMENT: &[(&str, Value)] = &[
    ("BT-83", Path("ram:PaymentReference")),
    ("BT-89", Path("ram:SpecifiedTradePaymentTerms/ram:DirectDebitMandateID")),
    ("BT-90", Path("ram:CreditorReferenceID")),
];

const SUPPORTING: &[(&str, Value)] = &[
    ("BT-122", Path("ram:IssuerAssignedID")),
    ("BT-123", Path("ram:Name")),
    ("BT-124", Path("ram:URIID")),
    ("BT-125", Path("ram:AttachmentBinaryObject/@filename")),
];
