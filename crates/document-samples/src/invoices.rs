//! One invoice in the syntaxes of e-invoices: two lines at 10 and 20 per cent, 130.00 EUR net, 153.00 EUR gross.

/// The invoice as UBL 2.1, with an element that no business term is mapped to.
pub const UBL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ubl:Invoice xmlns:ubl="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
    xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <b:ID>HL-2031</b:ID><b:IssueDate>2025-03-07+01:00</b:IssueDate><b:DueDate>2025-04-06</b:DueDate>
  <b:InvoiceTypeCode>380</b:InvoiceTypeCode><b:Note>Thank you
     for the order</b:Note>
  <b:DocumentCurrencyCode>EUR</b:DocumentCurrencyCode><b:BuyerReference>991-7</b:BuyerReference>
  <a:OrderReference><b:ID>PO-55</b:ID></a:OrderReference>
  <a:AccountingSupplierParty><a:Party>
    <a:PartyName><b:Name>Harbour Light</b:Name></a:PartyName>
    <a:PostalAddress><b:StreetName>Quay 4</b:StreetName><b:CityName>Bremen</b:CityName>
      <b:PostalZone>28195</b:PostalZone><a:Country><b:IdentificationCode>DE</b:IdentificationCode></a:Country></a:PostalAddress>
    <a:PartyTaxScheme><b:CompanyID>75/123</b:CompanyID><a:TaxScheme><b:ID>FC</b:ID></a:TaxScheme></a:PartyTaxScheme>
    <a:PartyTaxScheme><b:CompanyID>DE123456788</b:CompanyID><a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:PartyTaxScheme>
    <a:PartyLegalEntity><b:RegistrationName>Harbour Light Chandlers GmbH</b:RegistrationName></a:PartyLegalEntity>
  </a:Party></a:AccountingSupplierParty>
  <a:AccountingCustomerParty><a:Party>
    <a:PartyLegalEntity><b:RegistrationName>Northsea Ferries AG</b:RegistrationName></a:PartyLegalEntity>
  </a:Party></a:AccountingCustomerParty>
  <a:PaymentMeans><b:PaymentMeansCode>58</b:PaymentMeansCode>
    <a:PayeeFinancialAccount><b:ID>DE89370400440532013000</b:ID></a:PayeeFinancialAccount></a:PaymentMeans>
  <a:PaymentTerms><b:Note>30 days net</b:Note></a:PaymentTerms>
  <a:TaxTotal><b:TaxAmount currencyID="EUR">23</b:TaxAmount>
    <a:TaxSubtotal><b:TaxableAmount currencyID="EUR">30.00</b:TaxableAmount><b:TaxAmount currencyID="EUR">3.00</b:TaxAmount>
      <a:TaxCategory><b:ID>S</b:ID><b:Percent>10</b:Percent><a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:TaxCategory></a:TaxSubtotal>
    <a:TaxSubtotal><b:TaxableAmount currencyID="EUR">100.00</b:TaxableAmount><b:TaxAmount currencyID="EUR">20.00</b:TaxAmount>
      <a:TaxCategory><b:ID>S</b:ID><b:Percent>20</b:Percent><a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:TaxCategory></a:TaxSubtotal>
  </a:TaxTotal>
  <a:TaxTotal><b:TaxAmount currencyID="NOK">270.50</b:TaxAmount></a:TaxTotal>
  <a:LegalMonetaryTotal><b:LineExtensionAmount currencyID="EUR">130.00</b:LineExtensionAmount>
    <b:TaxExclusiveAmount currencyID="EUR">130.00</b:TaxExclusiveAmount>
    <b:TaxInclusiveAmount currencyID="EUR">153.00</b:TaxInclusiveAmount>
    <b:PrepaidAmount currencyID="EUR">50.00</b:PrepaidAmount>
    <b:PayableAmount currencyID="EUR">103.00</b:PayableAmount></a:LegalMonetaryTotal>
  <a:InvoiceLine><b:ID>1</b:ID><b:InvoicedQuantity unitCode="MTR">12.000</b:InvoicedQuantity>
    <b:LineExtensionAmount currencyID="EUR">30.00</b:LineExtensionAmount>
    <a:Item><b:Name>Mooring rope</b:Name><a:ClassifiedTaxCategory><b:ID>S</b:ID><b:Percent>10</b:Percent>
      <a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:ClassifiedTaxCategory></a:Item>
    <a:Price><b:PriceAmount currencyID="EUR">2.5</b:PriceAmount></a:Price></a:InvoiceLine>
  <a:InvoiceLine><b:ID>2</b:ID><b:InvoicedQuantity unitCode="H87">4</b:InvoicedQuantity>
    <b:LineExtensionAmount currencyID="EUR">100.00</b:LineExtensionAmount>
    <a:Item><b:Name>Deck lamp</b:Name><a:CommodityClassification><b:ItemClassificationCode>8513</b:ItemClassificationCode></a:CommodityClassification>
      <a:ClassifiedTaxCategory><b:ID>S</b:ID><b:Percent>20</b:Percent>
      <a:TaxScheme><b:ID>VAT</b:ID></a:TaxScheme></a:ClassifiedTaxCategory></a:Item>
    <a:Price><b:PriceAmount currencyID="EUR">25.00</b:PriceAmount></a:Price></a:InvoiceLine>
</ubl:Invoice>
"#;

/// The invoice as Cross Industry Invoice.
pub const CII: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
<x:CrossIndustryInvoice xmlns:x="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
    xmlns:r="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
    xmlns:u="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
  <x:ExchangedDocument><r:ID>HL-2031</r:ID><r:TypeCode>380</r:TypeCode>
    <r:IssueDateTime><u:DateTimeString format="102">20250307</u:DateTimeString></r:IssueDateTime></x:ExchangedDocument>
  <x:SupplyChainTradeTransaction>
    <r:IncludedSupplyChainTradeLineItem>
      <r:AssociatedDocumentLineDocument><r:LineID>1</r:LineID></r:AssociatedDocumentLineDocument>
      <r:SpecifiedTradeProduct><r:Name>Mooring rope</r:Name></r:SpecifiedTradeProduct>
      <r:SpecifiedLineTradeAgreement><r:NetPriceProductTradePrice><r:ChargeAmount>2.5000</r:ChargeAmount></r:NetPriceProductTradePrice></r:SpecifiedLineTradeAgreement>
      <r:SpecifiedLineTradeDelivery><r:BilledQuantity unitCode="MTR">12</r:BilledQuantity></r:SpecifiedLineTradeDelivery>
      <r:SpecifiedLineTradeSettlement><r:ApplicableTradeTax><r:TypeCode>VAT</r:TypeCode><r:CategoryCode>S</r:CategoryCode><r:RateApplicablePercent>10</r:RateApplicablePercent></r:ApplicableTradeTax>
        <r:SpecifiedTradeSettlementLineMonetarySummation><r:LineTotalAmount>30.00</r:LineTotalAmount></r:SpecifiedTradeSettlementLineMonetarySummation></r:SpecifiedLineTradeSettlement>
    </r:IncludedSupplyChainTradeLineItem>
    <r:IncludedSupplyChainTradeLineItem>
      <r:AssociatedDocumentLineDocument><r:LineID>2</r:LineID></r:AssociatedDocumentLineDocument>
      <r:SpecifiedTradeProduct><r:Name>Deck lamp</r:Name></r:SpecifiedTradeProduct>
      <r:SpecifiedLineTradeAgreement><r:NetPriceProductTradePrice><r:ChargeAmount>25.00</r:ChargeAmount></r:NetPriceProductTradePrice></r:SpecifiedLineTradeAgreement>
      <r:SpecifiedLineTradeDelivery><r:BilledQuantity unitCode="H87">4</r:BilledQuantity></r:SpecifiedLineTradeDelivery>
      <r:SpecifiedLineTradeSettlement><r:ApplicableTradeTax><r:TypeCode>VAT</r:TypeCode><r:CategoryCode>S</r:CategoryCode><r:RateApplicablePercent>20</r:RateApplicablePercent></r:ApplicableTradeTax>
        <r:SpecifiedTradeSettlementLineMonetarySummation><r:LineTotalAmount>100.00</r:LineTotalAmount></r:SpecifiedTradeSettlementLineMonetarySummation></r:SpecifiedLineTradeSettlement>
    </r:IncludedSupplyChainTradeLineItem>
    <r:ApplicableHeaderTradeAgreement>
      <r:SellerTradeParty><r:Name>Harbour Light Chandlers GmbH</r:Name>
        <r:PostalTradeAddress><r:PostcodeCode>28195</r:PostcodeCode><r:LineOne>Quay 4</r:LineOne><r:CityName>Bremen</r:CityName><r:CountryID>DE</r:CountryID></r:PostalTradeAddress>
        <r:SpecifiedTaxRegistration><r:ID schemeID="VA">DE123456788</r:ID></r:SpecifiedTaxRegistration></r:SellerTradeParty>
      <r:BuyerTradeParty><r:Name>Northsea Ferries AG</r:Name></r:BuyerTradeParty>
    </r:ApplicableHeaderTradeAgreement>
    <r:ApplicableHeaderTradeDelivery/>
    <r:ApplicableHeaderTradeSettlement><r:InvoiceCurrencyCode>EUR</r:InvoiceCurrencyCode>
      <r:SpecifiedTradeSettlementPaymentMeans><r:TypeCode>58</r:TypeCode>
        <r:PayeePartyCreditorFinancialAccount><r:IBANID>DE89370400440532013000</r:IBANID></r:PayeePartyCreditorFinancialAccount></r:SpecifiedTradeSettlementPaymentMeans>
      <r:ApplicableTradeTax><r:CalculatedAmount>20.00</r:CalculatedAmount><r:TypeCode>VAT</r:TypeCode><r:BasisAmount>100.00</r:BasisAmount><r:CategoryCode>S</r:CategoryCode><r:RateApplicablePercent>20</r:RateApplicablePercent></r:ApplicableTradeTax>
      <r:SpecifiedTradePaymentTerms><r:DueDateDateTime><u:DateTimeString format="102">20250406</u:DateTimeString></r:DueDateDateTime></r:SpecifiedTradePaymentTerms>
      <r:SpecifiedTradeSettlementHeaderMonetarySummation><r:LineTotalAmount>130.00</r:LineTotalAmount><r:TaxBasisTotalAmount>130.00</r:TaxBasisTotalAmount>
        <r:TaxTotalAmount currencyID="EUR">23.00</r:TaxTotalAmount><r:GrandTotalAmount>153.00</r:GrandTotalAmount><r:DuePayableAmount>153.00</r:DuePayableAmount></r:SpecifiedTradeSettlementHeaderMonetarySummation>
    </r:ApplicableHeaderTradeSettlement>
  </x:SupplyChainTradeTransaction>
</x:CrossIndustryInvoice>
"#;

/// The invoice as FatturaPA, of an Italian seller.
pub const FATTURA_PA: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<n0:FatturaElettronica versione="FPR12" xmlns:n0="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2">
  <FatturaElettronicaHeader>
    <DatiTrasmissione><ProgressivoInvio>0001</ProgressivoInvio></DatiTrasmissione>
    <CedentePrestatore><DatiAnagrafici><IdFiscaleIVA><IdPaese>IT</IdPaese><IdCodice>01234567897</IdCodice></IdFiscaleIVA>
      <Anagrafica><Nome>Ada</Nome><Cognome>Ferri</Cognome></Anagrafica></DatiAnagrafici>
      <Sede><Indirizzo>Via del Porto</Indirizzo><NumeroCivico>4</NumeroCivico><CAP>30121</CAP><Comune>Venezia</Comune><Provincia>VE</Provincia><Nazione>IT</Nazione></Sede></CedentePrestatore>
    <CessionarioCommittente><DatiAnagrafici><Anagrafica><Denominazione>Traghetti Nord S.p.A.</Denominazione></Anagrafica></DatiAnagrafici></CessionarioCommittente>
  </FatturaElettronicaHeader>
  <FatturaElettronicaBody>
    <DatiGenerali><DatiGeneraliDocumento><TipoDocumento>TD01</TipoDocumento><Divisa>EUR</Divisa><Data>2025-03-07</Data><Numero>2031/A</Numero>
      <ImportoTotaleDocumento>153.00</ImportoTotaleDocumento></DatiGeneraliDocumento></DatiGenerali>
    <DatiBeniServizi>
      <DettaglioLinee><NumeroLinea>1</NumeroLinea><Descrizione>Cima da ormeggio</Descrizione><Quantita>12.00</Quantita><PrezzoUnitario>2.50000000</PrezzoUnitario><PrezzoTotale>30.00</PrezzoTotale><AliquotaIVA>10.00</AliquotaIVA></DettaglioLinee>
      <DettaglioLinee><NumeroLinea>2</NumeroLinea><Descrizione>Lampada</Descrizione><Quantita>4.00</Quantita><PrezzoUnitario>25.00</PrezzoUnitario><PrezzoTotale>100.00</PrezzoTotale><AliquotaIVA>20.00</AliquotaIVA></DettaglioLinee>
      <DatiRiepilogo><AliquotaIVA>10.00</AliquotaIVA><ImponibileImporto>30.00</ImponibileImporto><Imposta>3.00</Imposta></DatiRiepilogo>
      <DatiRiepilogo><AliquotaIVA>20.00</AliquotaIVA><ImponibileImporto>100.00</ImponibileImporto><Imposta>20.00</Imposta></DatiRiepilogo>
    </DatiBeniServizi>
    <DatiPagamento><CondizioniPagamento>TP02</CondizioniPagamento><DettaglioPagamento><ModalitaPagamento>MP05</ModalitaPagamento>
      <DataScadenzaPagamento>2025-04-06</DataScadenzaPagamento><ImportoPagamento>153.00</ImportoPagamento><IBAN>IT60X0542811101000000123456</IBAN></DettaglioPagamento></DatiPagamento>
  </FatturaElettronicaBody>
</n0:FatturaElettronica>
"#;
