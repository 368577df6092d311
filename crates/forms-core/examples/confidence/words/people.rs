//! Papers about people.

use super::Make::{Choice, City, Code, Company, Count, Date, Flag, Money, Person, Phrase};
use super::{BORN, END, IBAN, MAIL, PHONE, START, Trade, item};

pub(super) const PAYSLIP: Trade = Trade {
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
};

pub(super) const CV: Trade = Trade {
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
};

pub(super) const LAB_REPORT: Trade = Trade {
    name: "lab report",
    fields: &[
        item("patient_name", Person, "Patient|Patient|Patient|Paciente|Paziente|Patiënt|Pacjent|Paciente"),
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
            item("result", Money(90), "Result|Ergebnis|Résultat|Resultado|Risultato|Uitslag|Wynik|Resultado"),
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
};

pub(super) const BOOKING: Trade = Trade {
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
};
