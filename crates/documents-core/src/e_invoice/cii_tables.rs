//! The lines and sums of a Cross Industry Invoice.

use super::mapping::Value;
use Value::{First, Path};

pub(super) const LINES: &[(&str, Value)] = &[
    ("BT-126", Path("ram:AssociatedDocumentLineDocument/ram:LineID")),
    ("BT-153", Path("ram:SpecifiedTradeProduct/ram:Name")),
    ("BT-154", Path("ram:SpecifiedTradeProduct/ram:Description")),
    ("BT-155", Path("ram:SpecifiedTradeProduct/ram:SellerAssignedID")),
    ("BT-156", Path("ram:SpecifiedTradeProduct/ram:BuyerAssignedID")),
    ("BT-157", Path("ram:SpecifiedTradeProduct/ram:GlobalID")),
    ("BT-129", Path("ram:SpecifiedLineTradeDelivery/ram:BilledQuantity")),
    ("BT-130", Path("ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode")),
    ("BT-148", Path("ram:SpecifiedLineTradeAgreement/ram:GrossPriceProductTradePrice/ram:ChargeAmount")),
    ("BT-146", Path("ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount")),
    ("BT-149", Path("ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:BasisQuantity")),
    (
        "BT-151",
        Path("ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax[ram:TypeCode=VAT]/ram:CategoryCode"),
    ),
    ("BT-152", Path("ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax/ram:RateApplicablePercent")),
    (
        "BT-131",
        First(&[
            Path(
                "ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount",
            ),
            Path(
                "ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementHeaderMonetarySummation/ram:LineTotalAmount",
            ),
        ]),
    ),
    ("BT-134", Path("ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod/ram:StartDateTime")),
    ("BT-135", Path("ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod/ram:EndDateTime")),
    ("BT-127", Path("ram:AssociatedDocumentLineDocument/ram:IncludedNote/ram:Content")),
];

pub(super) const ALLOWANCES: &[(&str, Value)] = &[
    ("BT-97", Path("ram:Reason")),
    ("BT-98", Path("ram:ReasonCode")),
    ("BT-93", Path("ram:BasisAmount")),
    ("BT-94", Path("ram:CalculationPercent")),
    ("BT-95", Path("ram:CategoryTradeTax[ram:TypeCode=VAT]/ram:CategoryCode")),
    ("BT-96", Path("ram:CategoryTradeTax/ram:RateApplicablePercent")),
    ("BT-92", Path("ram:ActualAmount")),
];

pub(super) const CHARGES: &[(&str, Value)] = &[
    ("BT-104", Path("ram:Reason")),
    ("BT-105", Path("ram:ReasonCode")),
    ("BT-100", Path("ram:BasisAmount")),
    ("BT-101", Path("ram:CalculationPercent")),
    ("BT-102", Path("ram:CategoryTradeTax[ram:TypeCode=VAT]/ram:CategoryCode")),
    ("BT-103", Path("ram:CategoryTradeTax/ram:RateApplicablePercent")),
    ("BT-99", Path("ram:ActualAmount")),
];

pub(super) const BREAKDOWN: &[(&str, Value)] = &[
    ("BT-118", Path("ram:CategoryCode")),
    ("BT-119", Path("ram:RateApplicablePercent")),
    ("BT-116", Path("ram:BasisAmount")),
    ("BT-117", Path("ram:CalculatedAmount")),
    ("BT-120", Path("ram:ExemptionReason")),
    ("BT-121", Path("ram:ExemptionReasonCode")),
];

pub(super) const TOTALS: &[(&str, Value)] = &[
    ("BT-106", Path("ram:LineTotalAmount")),
    ("BT-107", Path("ram:AllowanceTotalAmount")),
    ("BT-108", Path("ram:ChargeTotalAmount")),
    ("BT-109", Path("ram:TaxBasisTotalAmount")),
    ("BT-110", Path("ram:TaxTotalAmount[@currencyID=$]")),
    ("BT-111", Path("ram:TaxTotalAmount[@currencyID!=$]")),
    ("BT-112", Path("ram:GrandTotalAmount")),
    ("BT-113", Path("ram:TotalPrepaidAmount")),
    ("BT-114", Path("ram:RoundingAmount")),
    ("BT-115", Path("ram:DuePayableAmount")),
];
