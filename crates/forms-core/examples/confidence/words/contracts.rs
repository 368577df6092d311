//! Contracts and accounts.

use super::Make::{Address, Choice, Code, Company, Count, Date, Flag, Money, Person};
use super::{CURRENCY, END, IBAN, ITEM_NAME, MAIL, PHONE, START, Trade, item};

pub(super) const LEASE: Trade = Trade {
    name: "lease",
    fields: &[
        item(
            "landlord",
            Person,
            "Landlord|Vermieter|Bailleur|Arrendador|Locatore|Verhuurder|Wynajmujący|Senhorio",
        ),
        item("tenant", Person, "Tenant|Mieter|Locataire|Arrendatario|Conduttore|Huurder|Najemca|Inquilino"),
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
};

pub(super) const BANK_STATEMENT: Trade = Trade {
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
};

pub(super) const INSURANCE_POLICY: Trade = Trade {
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
};

pub(super) const TENDER: Trade = Trade {
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
};
