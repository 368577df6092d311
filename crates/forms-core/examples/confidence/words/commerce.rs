//! Papers of trade.

use super::Make::{Address, City, Code, Company, Count, Date, Flag, Money, Person};
use super::{
    AMOUNT, BUYER, CURRENCY, DELIVERED, DUE, GROSS, IBAN, ITEM_CODE, ITEM_NAME, NET, ORDER, ORDERED, PRICE,
    QUANTITY, RATE, SELLER, TAX, Trade, item,
};

pub(super) const INVOICE: Trade = Trade {
    name: "invoice",
    fields: &[
        item(
            "invoice_number",
            Code("INV-"),
            "Invoice No.|Rechnungsnummer|Facture n°|Número de factura|Fattura n.|Factuurnummer|Numer faktury|Número da fatura",
        ),
        item(
            "invoice_date",
            Date,
            "Invoice date|Rechnungsdatum|Date de facture|Fecha de factura|Data fattura|Factuurdatum|Data faktury|Data da fatura",
        ),
        DUE,
        SELLER,
        BUYER,
        ORDER,
        IBAN,
        NET,
        RATE,
        TAX,
        GROSS,
        CURRENCY,
    ],
    rows: Some(("items", &[ITEM_CODE, ITEM_NAME, QUANTITY, PRICE, AMOUNT])),
};

pub(super) const DELIVERY_NOTE: Trade = Trade {
    name: "delivery note",
    fields: &[
        item(
            "delivery_note_number",
            Code("DN"),
            "Delivery note No.|Lieferscheinnummer|Bon de livraison n°|Albarán n.º|DDT n.|Pakbonnummer|Numer WZ|Guia de remessa n.º",
        ),
        ORDER,
        ORDERED,
        DELIVERED,
        item(
            "supplier",
            Company,
            "Supplier|Lieferant|Fournisseur|Proveedor|Fornitore|Leverancier|Dostawca|Fornecedor",
        ),
        item(
            "delivery_address",
            Address,
            "Delivery address|Lieferadresse|Adresse de livraison|Dirección de entrega|Indirizzo di consegna|Afleveradres|Adres dostawy|Morada de entrega",
        ),
        item(
            "carrier",
            Company,
            "Carrier|Spediteur|Transporteur|Transportista|Vettore|Vervoerder|Przewoźnik|Transportadora",
        ),
        item("packages", Count(30), "Packages|Packstücke|Colis|Bultos|Colli|Colli|Paczki|Volumes"),
        item(
            "weight_kg",
            Money(400),
            "Weight (kg)|Gewicht (kg)|Poids (kg)|Peso (kg)|Peso (kg)|Gewicht (kg)|Waga (kg)|Peso (kg)",
        ),
        item("complete", Flag, "Complete|Vollständig|Complet|Completo|Completo|Compleet|Kompletna|Completa"),
    ],
    rows: Some(("items", &[ITEM_CODE, ITEM_NAME, QUANTITY])),
};

pub(super) const PURCHASE_ORDER: Trade = Trade {
    name: "purchase order",
    fields: &[
        ORDER,
        ORDERED,
        DELIVERED,
        item("buyer", Company, "Buyer|Käufer|Acheteur|Comprador|Acquirente|Koper|Kupujący|Comprador"),
        item(
            "supplier",
            Company,
            "Supplier|Lieferant|Fournisseur|Proveedor|Fornitore|Leverancier|Dostawca|Fornecedor",
        ),
        NET,
        RATE,
        TAX,
        GROSS,
        CURRENCY,
        item(
            "contact",
            Person,
            "Contact|Ansprechpartner|Contact|Contacto|Referente|Contactpersoon|Osoba kontaktowa|Contacto",
        ),
    ],
    rows: Some(("positions", &[ITEM_CODE, ITEM_NAME, QUANTITY, PRICE, AMOUNT])),
};

pub(super) const WAYBILL: Trade = Trade {
    name: "waybill",
    fields: &[
        item("shipper", Company, "Shipper|Absender|Expéditeur|Remitente|Mittente|Afzender|Nadawca|Remetente"),
        item(
            "consignee",
            Company,
            "Consignee|Empfänger|Destinataire|Destinatario|Destinatario|Geadresseerde|Odbiorca|Destinatário",
        ),
        item(
            "tracking_number",
            Code("TR"),
            "Tracking No.|Sendungsnummer|N° de suivi|Número de seguimiento|Codice di tracciamento|Trackingnummer|Numer przesyłki|Número de rastreio",
        ),
        item(
            "shipping_date",
            Date,
            "Ship date|Versanddatum|Date d'expédition|Fecha de envío|Data di spedizione|Verzenddatum|Data wysyłki|Data de envio",
        ),
        DELIVERED,
        item("origin", City, "Origin|Abgangsort|Origine|Origen|Origine|Herkomst|Miejsce nadania|Origem"),
        item(
            "destination",
            City,
            "Destination|Bestimmungsort|Destination|Destino|Destinazione|Bestemming|Miejsce przeznaczenia|Destino",
        ),
        item("pieces", Count(40), "Pieces|Stückzahl|Colis|Bultos|Colli|Stuks|Liczba sztuk|Volumes"),
        item(
            "gross_weight",
            Money(800),
            "Gross weight|Bruttogewicht|Poids brut|Peso bruto|Peso lordo|Brutogewicht|Waga brutto|Peso bruto",
        ),
        item("freight_charge", Money(400), "Freight|Fracht|Fret|Flete|Nolo|Vracht|Fracht|Frete"),
        item(
            "insured",
            Flag,
            "Insured|Versichert|Assuré|Asegurado|Assicurato|Verzekerd|Ubezpieczona|Segurado",
        ),
    ],
    rows: None,
};
