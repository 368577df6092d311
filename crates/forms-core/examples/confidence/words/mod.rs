//! Labels of business papers in eight languages (English, German, French, Spanish, Italian, Dutch, Polish,
//! Portuguese, in this order), and the trades that are made of them. Fresh trades have Swedish and Czech instead.

mod commerce;
mod contracts;
mod fresh;
mod names;
mod people;

pub(crate) use names::*;

/// What values are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Make {
    Company,
    Person,
    Address,
    City,
    /// Letters before the digits.
    Code(&'static str),
    Iban,
    Email,
    Phone,
    Date,
    /// An amount of money, of about so much.
    Money(u32),
    Count(u32),
    Percent,
    Phrase,
    Choice(&'static [&'static str]),
    Flag,
}

/// A field: its name, its labels by language, and how its values are made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) name: &'static str,
    pub(crate) make: Make,
    pub(crate) labels: &'static str,
}

const fn item(name: &'static str, make: Make, labels: &'static str) -> Item {
    Item { name, make, labels }
}

impl Item {
    /// The label in a language by its number; English where there is none.
    pub(crate) fn label(&self, language: usize) -> &'static str {
        let language = if language < SWEDISH { language } else { language + 1 - SWEDISH };
        let mut labels = self.labels.split('|');
        let first = labels.clone().next().unwrap_or_default();
        labels.nth(language).unwrap_or(first)
    }
}

/// The number of the first language that only fresh papers have.
pub(crate) const SWEDISH: usize = 8;

/// A kind of paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trade {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Item],
    /// Name of the list, and its columns.
    pub(crate) rows: Option<(&'static str, &'static [Item])>,
}

use Make::{Choice, Code, Company, Count, Date, Email, Iban, Money, Percent, Phone, Phrase};

const SELLER: Item =
    item("seller_name", Company, "Seller|Verkäufer|Vendeur|Vendedor|Venditore|Verkoper|Sprzedawca|Vendedor");
const BUYER: Item =
    item("customer_name", Company, "Customer|Kunde|Client|Cliente|Cliente|Klant|Klient|Cliente");
const DUE: Item = item(
    "due_date",
    Date,
    "Due date|Fällig am|Échéance|Vencimiento|Scadenza|Vervaldatum|Termin płatności|Vencimento",
);
const NET: Item = item(
    "net_amount",
    Money(0),
    "Net amount|Nettobetrag|Total HT|Base imponible|Imponibile|Nettobedrag|Kwota netto|Total líquido",
);
const TAX: Item = item("tax_amount", Money(0), "VAT|MwSt.|TVA|IVA|IVA|BTW|Podatek VAT|IVA");
const RATE: Item = item(
    "tax_rate",
    Percent,
    "VAT rate|Steuersatz|Taux de TVA|Tipo de IVA|Aliquota IVA|Btw-tarief|Stawka VAT|Taxa de IVA",
);
const GROSS: Item =
    item("total", Money(0), "Total|Gesamtbetrag|Total TTC|Importe total|Totale|Totaal|Razem|Valor total");
const ORDER: Item = item(
    "order_number",
    Code("PO-"),
    "Order No.|Bestellnummer|N° de commande|Número de pedido|Ordine n.|Bestelnummer|Numer zamówienia|Número da encomenda",
);
const ORDERED: Item = item(
    "order_date",
    Date,
    "Order date|Bestelldatum|Date de commande|Fecha de pedido|Data ordine|Besteldatum|Data zamówienia|Data da encomenda",
);
const DELIVERED: Item = item(
    "delivery_date",
    Date,
    "Delivery date|Lieferdatum|Date de livraison|Fecha de entrega|Data di consegna|Leverdatum|Data dostawy|Data de entrega",
);
const START: Item = item(
    "start_date",
    Date,
    "Start date|Beginn|Date de début|Fecha de inicio|Data di inizio|Begindatum|Data rozpoczęcia|Data de início",
);
const END: Item = item(
    "end_date",
    Date,
    "End date|Ende|Date de fin|Fecha de fin|Data di fine|Einddatum|Data zakończenia|Data de fim",
);
const BORN: Item = item(
    "birth_date",
    Date,
    "Date of birth|Geburtsdatum|Date de naissance|Fecha de nacimiento|Data di nascita|Geboortedatum|Data urodzenia|Data de nascimento",
);
const MAIL: Item =
    item("email", Email, "E-mail|E-Mail|Courriel|Correo electrónico|E-mail|E-mail|E-mail|E-mail");
const PHONE: Item =
    item("phone", Phone, "Phone|Telefon|Téléphone|Teléfono|Telefono|Telefoon|Telefon|Telefone");
const IBAN: Item = item("iban", Iban, "IBAN|IBAN|IBAN|IBAN|IBAN|IBAN|IBAN|IBAN");
const CURRENCY: Item = item(
    "currency",
    Choice(&["EUR", "USD", "GBP", "PLN", "CHF"]),
    "Currency|Währung|Devise|Moneda|Valuta|Valuta|Waluta|Moeda",
);
const ITEM_NAME: Item = item(
    "description",
    Phrase,
    "Description|Bezeichnung|Désignation|Descripción|Descrizione|Omschrijving|Opis|Descrição",
);
const ITEM_CODE: Item =
    item("item_code", Code("A"), "Item|Artikel|Référence|Artículo|Articolo|Artikel|Artykuł|Artigo");
const QUANTITY: Item =
    item("quantity", Count(20), "Quantity|Menge|Quantité|Cantidad|Quantità|Aantal|Ilość|Quantidade");
const PRICE: Item = item(
    "unit_price",
    Money(90),
    "Unit price|Einzelpreis|Prix unitaire|Precio unitario|Prezzo unitario|Stukprijs|Cena|Preço unitário",
);
const AMOUNT: Item = item("amount", Money(0), "Amount|Betrag|Montant|Importe|Importo|Bedrag|Wartość|Valor");

/// The trades; the first half is learned from, the second is held out, and those behind are fresh.
pub(crate) const TRADES: [Trade; 16] = [
    commerce::INVOICE,
    people::PAYSLIP,
    contracts::LEASE,
    commerce::DELIVERY_NOTE,
    contracts::BANK_STATEMENT,
    people::CV,
    people::LAB_REPORT,
    contracts::INSURANCE_POLICY,
    commerce::WAYBILL,
    contracts::TENDER,
    commerce::PURCHASE_ORDER,
    people::BOOKING,
    fresh::ENERGY_BILL,
    fresh::INSPECTION,
    fresh::REGISTRATION,
    fresh::LOAN,
];
