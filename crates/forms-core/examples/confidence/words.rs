//! Labels of business papers in eight languages (English, German, French, Spanish, Italian, Dutch, Polish,
//! Portuguese, in this order), and the trades that are made of them.

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
    pub(crate) fn label(&self, language: usize) -> &'static str {
        let mut labels = self.labels.split('|');
        let first = labels.clone().next().unwrap_or_default();
        labels.nth(language).unwrap_or(first)
    }
}

/// A kind of paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trade {
    pub(crate) name: &'static str,
    pub(crate) fields: &'static [Item],
    /// Name of the list, and its columns.
    pub(crate) rows: Option<(&'static str, &'static [Item])>,
}

use Make::{
    Address, Choice, City, Code, Company, Count, Date, Email, Flag, Iban, Money, Percent, Person, Phone,
    Phrase,
};

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

/// The trades; the first half is learned from, the second is held out.
pub(crate) const TRADES: [Trade; 12] = [
    Trade {
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
    },
    Trade {
        name: "payslip",
        fields: &[
            item(
                "employee_name",
                Person,
                "Employee|Mitarbeiter|Salarié|Empleado|Dipendente|Werknemer|Pracownik|Empregado",
            ),
            item(
                "employer",
                Company,
                "Employer|Arbeitgeber|Employeur|Empresa|Datore di lavoro|Werkgever|Pracodawca|Empregador",
            ),
            item(
                "personnel_number",
                Code(""),
                "Personnel No.|Personalnummer|Matricule|Número de empleado|Matricola|Personeelsnummer|Numer pracownika|Número do empregado",
            ),
            item(
                "payment_date",
                Date,
                "Payment date|Zahltag|Date de paiement|Fecha de pago|Data di pagamento|Betaaldatum|Data wypłaty|Data de pagamento",
            ),
            item("hours", Count(180), "Hours|Stunden|Heures|Horas|Ore|Uren|Godziny|Horas"),
            item(
                "gross_pay",
                Money(5_000),
                "Gross pay|Bruttolohn|Salaire brut|Salario bruto|Retribuzione lorda|Brutoloon|Wynagrodzenie brutto|Salário bruto",
            ),
            item(
                "income_tax",
                Money(900),
                "Income tax|Lohnsteuer|Impôt|Retención IRPF|Imposta|Loonheffing|Podatek dochodowy|Imposto",
            ),
            item(
                "net_pay",
                Money(3_600),
                "Net pay|Auszahlungsbetrag|Net à payer|Salario neto|Netto in busta|Nettoloon|Do wypłaty|Salário líquido",
            ),
            IBAN,
            BORN,
        ],
        rows: None,
    },
    Trade {
        name: "lease",
        fields: &[
            item(
                "landlord",
                Person,
                "Landlord|Vermieter|Bailleur|Arrendador|Locatore|Verhuurder|Wynajmujący|Senhorio",
            ),
            item(
                "tenant",
                Person,
                "Tenant|Mieter|Locataire|Arrendatario|Conduttore|Huurder|Najemca|Inquilino",
            ),
            item(
                "property_address",
                Address,
                "Property|Mietobjekt|Logement|Inmueble|Immobile|Woning|Lokal|Imóvel",
            ),
            START,
            END,
            item(
                "rent",
                Money(1_400),
                "Monthly rent|Monatsmiete|Loyer mensuel|Renta mensual|Canone mensile|Maandhuur|Czynsz|Renda mensal",
            ),
            item(
                "deposit",
                Money(3_000),
                "Deposit|Kaution|Dépôt de garantie|Fianza|Cauzione|Waarborgsom|Kaucja|Caução",
            ),
            item(
                "utilities",
                Money(220),
                "Utilities|Nebenkosten|Charges|Gastos|Spese|Servicekosten|Media|Despesas",
            ),
            item(
                "notice_months",
                Count(6),
                "Notice (months)|Kündigungsfrist (Monate)|Préavis (mois)|Preaviso (meses)|Preavviso (mesi)|Opzegtermijn (maanden)|Wypowiedzenie (miesiące)|Aviso prévio (meses)",
            ),
            item(
                "pets_allowed",
                Flag,
                "Pets allowed|Haustiere erlaubt|Animaux admis|Mascotas permitidas|Animali ammessi|Huisdieren toegestaan|Zwierzęta dozwolone|Animais permitidos",
            ),
            IBAN,
        ],
        rows: None,
    },
    Trade {
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
            item(
                "complete",
                Flag,
                "Complete|Vollständig|Complet|Completo|Completo|Compleet|Kompletna|Completa",
            ),
        ],
        rows: Some(("items", &[ITEM_CODE, ITEM_NAME, QUANTITY])),
    },
    Trade {
        name: "bank statement",
        fields: &[
            item(
                "account_holder",
                Person,
                "Account holder|Kontoinhaber|Titulaire|Titular|Intestatario|Rekeninghouder|Posiadacz rachunku|Titular",
            ),
            IBAN,
            item(
                "statement_number",
                Code(""),
                "Statement No.|Auszug Nr.|Relevé n°|Extracto n.º|Estratto n.|Afschriftnummer|Numer wyciągu|Extrato n.º",
            ),
            item(
                "statement_date",
                Date,
                "Statement date|Auszugsdatum|Date du relevé|Fecha del extracto|Data estratto|Afschriftdatum|Data wyciągu|Data do extrato",
            ),
            item(
                "opening_balance",
                Money(4_000),
                "Opening balance|Anfangssaldo|Solde initial|Saldo inicial|Saldo iniziale|Beginsaldo|Saldo początkowe|Saldo inicial",
            ),
            item(
                "closing_balance",
                Money(0),
                "Closing balance|Endsaldo|Solde final|Saldo final|Saldo finale|Eindsaldo|Saldo końcowe|Saldo final",
            ),
            item("bank", Company, "Bank|Bank|Banque|Banco|Banca|Bank|Bank|Banco"),
            CURRENCY,
        ],
        rows: Some((
            "transactions",
            &[
                item("date", Date, "Date|Datum|Date|Fecha|Data|Datum|Data|Data"),
                ITEM_NAME,
                item("amount", Money(300), "Amount|Betrag|Montant|Importe|Importo|Bedrag|Kwota|Montante"),
                item("balance", Money(0), "Balance|Saldo|Solde|Saldo|Saldo|Saldo|Saldo|Saldo"),
            ],
        )),
    },
    Trade {
        name: "cv",
        fields: &[
            item("name", Person, "Name|Name|Nom|Nombre|Nome|Naam|Imię i nazwisko|Nome"),
            BORN,
            MAIL,
            PHONE,
            item("city", City, "City|Ort|Ville|Ciudad|Città|Woonplaats|Miejscowość|Cidade"),
            item(
                "nationality",
                Choice(&["German", "French", "Polish", "Dutch", "Italian", "Spanish"]),
                "Nationality|Staatsangehörigkeit|Nationalité|Nacionalidad|Nazionalità|Nationaliteit|Narodowość|Nacionalidade",
            ),
            item(
                "degree",
                Phrase,
                "Degree|Abschluss|Diplôme|Título|Titolo di studio|Opleiding|Wykształcenie|Formação",
            ),
            item(
                "driving_licence",
                Flag,
                "Driving licence|Führerschein|Permis de conduire|Carné de conducir|Patente|Rijbewijs|Prawo jazdy|Carta de condução",
            ),
        ],
        rows: Some((
            "jobs",
            &[
                item(
                    "employer",
                    Company,
                    "Employer|Arbeitgeber|Employeur|Empresa|Datore di lavoro|Werkgever|Pracodawca|Empregador",
                ),
                item("position", Phrase, "Position|Position|Poste|Puesto|Posizione|Functie|Stanowisko|Cargo"),
                START,
                END,
            ],
        )),
    },
    Trade {
        name: "lab report",
        fields: &[
            item(
                "patient_name",
                Person,
                "Patient|Patient|Patient|Paciente|Paziente|Patiënt|Pacjent|Paciente",
            ),
            BORN,
            item(
                "sample_number",
                Code("S"),
                "Sample No.|Probennummer|N° d'échantillon|Número de muestra|Campione n.|Monsternummer|Numer próbki|Número da amostra",
            ),
            item(
                "collection_date",
                Date,
                "Collected on|Entnahmedatum|Prélevé le|Fecha de extracción|Data prelievo|Afnamedatum|Data pobrania|Data da colheita",
            ),
            item(
                "report_date",
                Date,
                "Report date|Befunddatum|Date du rapport|Fecha del informe|Data referto|Rapportdatum|Data raportu|Data do relatório",
            ),
            item("doctor", Person, "Doctor|Arzt|Médecin|Médico|Medico|Arts|Lekarz|Médico"),
            item(
                "laboratory",
                Company,
                "Laboratory|Labor|Laboratoire|Laboratorio|Laboratorio|Laboratorium|Laboratorium|Laboratório",
            ),
            item("fasting", Flag, "Fasting|Nüchtern|À jeun|En ayunas|A digiuno|Nuchter|Na czczo|Em jejum"),
        ],
        rows: Some((
            "tests",
            &[
                item("test", Phrase, "Test|Parameter|Analyse|Prueba|Esame|Bepaling|Badanie|Análise"),
                item(
                    "result",
                    Money(90),
                    "Result|Ergebnis|Résultat|Resultado|Risultato|Uitslag|Wynik|Resultado",
                ),
                item(
                    "lower_limit",
                    Money(20),
                    "Lower limit|Untergrenze|Limite inférieure|Límite inferior|Limite inferiore|Ondergrens|Dolna granica|Limite inferior",
                ),
                item(
                    "upper_limit",
                    Money(200),
                    "Upper limit|Obergrenze|Limite supérieure|Límite superior|Limite superiore|Bovengrens|Górna granica|Limite superior",
                ),
            ],
        )),
    },
    Trade {
        name: "insurance policy",
        fields: &[
            item(
                "policy_number",
                Code("POL"),
                "Policy No.|Versicherungsscheinnummer|Police n°|Póliza n.º|Polizza n.|Polisnummer|Numer polisy|Apólice n.º",
            ),
            item(
                "policyholder",
                Person,
                "Policyholder|Versicherungsnehmer|Assuré|Tomador|Contraente|Verzekeringnemer|Ubezpieczający|Tomador do seguro",
            ),
            item(
                "insurer",
                Company,
                "Insurer|Versicherer|Assureur|Aseguradora|Assicuratore|Verzekeraar|Ubezpieczyciel|Seguradora",
            ),
            START,
            END,
            item(
                "premium",
                Money(700),
                "Annual premium|Jahresbeitrag|Prime annuelle|Prima anual|Premio annuo|Jaarpremie|Składka roczna|Prémio anual",
            ),
            item(
                "sum_insured",
                Money(90_000),
                "Sum insured|Versicherungssumme|Capital assuré|Suma asegurada|Somma assicurata|Verzekerd bedrag|Suma ubezpieczenia|Capital seguro",
            ),
            item(
                "deductible",
                Money(500),
                "Deductible|Selbstbeteiligung|Franchise|Franquicia|Franchigia|Eigen risico|Udział własny|Franquia",
            ),
            item(
                "licence_plate",
                Code("KX "),
                "Licence plate|Kennzeichen|Immatriculation|Matrícula|Targa|Kenteken|Numer rejestracyjny|Matrícula",
            ),
            item(
                "covers_glass",
                Flag,
                "Glass cover|Glasbruch|Bris de glace|Cobertura de lunas|Cristalli|Ruitdekking|Szyby|Quebra de vidros",
            ),
            MAIL,
        ],
        rows: None,
    },
    Trade {
        name: "waybill",
        fields: &[
            item(
                "shipper",
                Company,
                "Shipper|Absender|Expéditeur|Remitente|Mittente|Afzender|Nadawca|Remetente",
            ),
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
    },
    Trade {
        name: "tender",
        fields: &[
            item(
                "reference",
                Code("T/"),
                "Reference|Vergabenummer|Référence|Expediente|Riferimento|Kenmerk|Numer referencyjny|Referência",
            ),
            item(
                "authority",
                Company,
                "Contracting authority|Auftraggeber|Pouvoir adjudicateur|Órgano de contratación|Stazione appaltante|Aanbestedende dienst|Zamawiający|Entidade adjudicante",
            ),
            item(
                "publication_date",
                Date,
                "Published|Veröffentlicht am|Publié le|Fecha de publicación|Data di pubblicazione|Gepubliceerd|Data publikacji|Data de publicação",
            ),
            item(
                "submission_deadline",
                Date,
                "Deadline|Abgabefrist|Date limite|Fecha límite|Termine di presentazione|Uiterste datum|Termin składania ofert|Prazo",
            ),
            item(
                "estimated_value",
                Money(500_000),
                "Estimated value|Geschätzter Wert|Valeur estimée|Valor estimado|Valore stimato|Geraamde waarde|Szacunkowa wartość|Valor estimado",
            ),
            item(
                "duration_months",
                Count(48),
                "Duration (months)|Laufzeit (Monate)|Durée (mois)|Duración (meses)|Durata (mesi)|Looptijd (maanden)|Czas trwania (miesiące)|Duração (meses)",
            ),
            MAIL,
            PHONE,
            item(
                "procedure",
                Choice(&["open", "restricted", "negotiated"]),
                "Procedure|Verfahren|Procédure|Procedimiento|Procedura|Procedure|Tryb|Procedimento",
            ),
        ],
        rows: Some((
            "lots",
            &[
                item("lot", Code("L"), "Lot|Los|Lot|Lote|Lotto|Perceel|Część|Lote"),
                ITEM_NAME,
                item("value", Money(90_000), "Value|Wert|Valeur|Valor|Valore|Waarde|Wartość|Valor"),
            ],
        )),
    },
    Trade {
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
    },
    Trade {
        name: "booking",
        fields: &[
            item("guest_name", Person, "Guest|Gast|Client|Huésped|Ospite|Gast|Gość|Hóspede"),
            item("hotel", Company, "Hotel|Hotel|Hôtel|Hotel|Hotel|Hotel|Hotel|Hotel"),
            item(
                "booking_number",
                Code("B"),
                "Booking No.|Buchungsnummer|N° de réservation|Número de reserva|Prenotazione n.|Boekingsnummer|Numer rezerwacji|Número da reserva",
            ),
            item("check_in", Date, "Check-in|Anreise|Arrivée|Entrada|Arrivo|Aankomst|Przyjazd|Chegada"),
            item("check_out", Date, "Check-out|Abreise|Départ|Salida|Partenza|Vertrek|Wyjazd|Partida"),
            item("nights", Count(14), "Nights|Nächte|Nuits|Noches|Notti|Nachten|Noce|Noites"),
            item(
                "room_type",
                Choice(&["single", "double", "suite"]),
                "Room|Zimmer|Chambre|Habitación|Camera|Kamer|Pokój|Quarto",
            ),
            item(
                "price_per_night",
                Money(180),
                "Price per night|Preis pro Nacht|Prix par nuit|Precio por noche|Prezzo per notte|Prijs per nacht|Cena za noc|Preço por noite",
            ),
            item(
                "city_tax",
                Money(20),
                "City tax|Kurtaxe|Taxe de séjour|Tasa turística|Tassa di soggiorno|Toeristenbelasting|Opłata miejscowa|Taxa turística",
            ),
            item(
                "breakfast",
                Flag,
                "Breakfast|Frühstück|Petit-déjeuner|Desayuno|Colazione|Ontbijt|Śniadanie|Pequeno-almoço",
            ),
            item(
                "total_price",
                Money(1_900),
                "Total price|Gesamtpreis|Prix total|Precio total|Prezzo totale|Totaalprijs|Cena całkowita|Preço total",
            ),
            MAIL,
        ],
        rows: None,
    },
];

/// Yes and no.
pub(crate) const FLAGS: [(&str, &str); 8] = [
    ("Yes", "No"),
    ("Ja", "Nein"),
    ("Oui", "Non"),
    ("Sí", "No"),
    ("Sì", "No"),
    ("Ja", "Nee"),
    ("Tak", "Nie"),
    ("Sim", "Não"),
];

pub(crate) const FIRST: [&str; 16] = [
    "Anna", "Jan", "Marta", "Luis", "Eva", "Paul", "Nora", "Marek", "Sofia", "Tom", "Clara", "Hugo", "Ines",
    "Oskar", "Lena", "Pedro",
];
pub(crate) const LAST: [&str; 16] = [
    "Becker", "Nowak", "Silva", "Rossi", "Martin", "Visser", "Castillo", "Wood", "Huber", "Moreau", "Costa",
    "Kaminska", "Jansen", "Ferri", "Ortega", "Hale",
];
pub(crate) const FIRMS: [&str; 16] = [
    "Nordwind",
    "Alpenglas",
    "Meridian",
    "Castor",
    "Blueline",
    "Verde",
    "Fenix",
    "Atlas",
    "Solaris",
    "Quarz",
    "Lumen",
    "Tessera",
    "Arbor",
    "Delfin",
    "Pontis",
    "Vela",
];
pub(crate) const TRADES_OF_FIRMS: [&str; 8] =
    ["Logistics", "Textil", "Energy", "Foods", "Medical", "Optik", "Bau", "Systems"];
pub(crate) const FORMS_OF_FIRMS: [&str; 8] =
    ["Ltd", "GmbH", "SARL", "S.L.", "S.r.l.", "B.V.", "Sp. z o.o.", "Lda"];
pub(crate) const STREETS: [&str; 8] = [
    "Market Street 12",
    "Lindenweg 4",
    "12 rue du Port",
    "Calle Mayor 7",
    "Via Roma 31",
    "Keizersgracht 88",
    "ul. Długa 5",
    "Rua Nova 19",
];
pub(crate) const CITIES: [&str; 16] = [
    "Leeds", "Kassel", "Nantes", "Sevilla", "Parma", "Utrecht", "Kraków", "Porto", "Bristol", "Bremen",
    "Lille", "Bilbao", "Torino", "Breda", "Gdynia", "Braga",
];
pub(crate) const THINGS: [&str; 16] = [
    "Steel bracket",
    "Copper cable",
    "Office chair",
    "Filter unit",
    "Glass panel",
    "Paper roll",
    "Pump seal",
    "Desk lamp",
    "Oak board",
    "Paint bucket",
    "Hinge set",
    "Valve block",
    "Sensor kit",
    "Wall anchor",
    "Drill head",
    "Gear wheel",
];
pub(crate) const SORTS: [&str; 8] =
    ["small", "large", "blue", "grey", "type B", "series 4", "premium", "basic"];
