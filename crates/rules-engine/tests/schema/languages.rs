//! Descriptions in the languages that came after English, German, French and Spanish.

use rules_engine::schema::generate_schema;

use crate::score::Case;

/// A list in prose, a bullet list, and a list with remarks in each language.
pub(crate) const CASES: &[Case] = &[
    Case {
        phrase: "Crea un modulo con nome, cognome, data di nascita, e-mail, telefono, numero di ospiti e note (facoltativo).",
        fields: "nome:string; cognome:string; data_di_nascita:date; e_mail:email; telefono:string; numero_di_ospiti:integer; note:string?",
    },
    Case {
        phrase: "Segnalazione di guasto\n- Nome (obbligatorio)\n- Telefono: testo\n- Data del guasto\n- Priorità: bassa, media o alta\n- Costo stimato (in euro)\n- Riparato (sì/no)\n- Articoli: codice, quantità, prezzo",
        fields: "nome:string!; telefono:string; data_del_guasto:date; priorita:string(bassa|media|alta); costo_stimato:number; riparato:boolean; articoli[]{codice:string; quantita:integer; prezzo:number}",
    },
    Case {
        phrase: "Un formulario di iscrizione per un corso: nome e cognome, età tra 18 e 99, lingua (italiano, inglese, francese), accetta la privacy (sì/no). Tutti i campi sono obbligatori tranne la lingua.",
        fields: "nome:string!; cognome:string!; eta:integer!; lingua:string(italiano|inglese|francese); accetta_la_privacy:boolean!",
    },
    Case {
        phrase: "Maak een formulier met voornaam, achternaam, geboortedatum, e-mailadres, telefoonnummer, aantal gasten en opmerkingen (optioneel).",
        fields: "voornaam:string; achternaam:string; geboortedatum:date; e_mailadres:email; telefoonnummer:string; aantal_gasten:integer; opmerkingen:string?",
    },
    Case {
        phrase: "Storingsmelding\n- Naam (verplicht)\n- Telefoon: tekst\n- Datum van de storing\n- Prioriteit: laag, middel of hoog\n- Geschatte kosten (in euro)\n- Gerepareerd (ja/nee)\n- Artikelen: artikelnummer, aantal, prijs",
        fields: "naam:string!; telefoon:string; datum_van_storing:date; prioriteit:string(laag|middel|hoog); geschatte_kosten:number; gerepareerd:boolean; artikelen[]{artikelnummer:string; aantal:integer; prijs:number}",
    },
    Case {
        phrase: "Aanmelding voor een cursus: naam, leeftijd tussen 18 en 99, taal (Nederlands, Engels of Frans), akkoord met de voorwaarden (ja/nee). Alle velden zijn verplicht behalve de taal.",
        fields: "naam:string!; leeftijd:integer!; taal:string(Nederlands|Engels|Frans); akkoord_met_voorwaarden:boolean!",
    },
    Case {
        phrase: "Utwórz formularz z polami: imię, nazwisko, data urodzenia, e-mail, telefon, liczba gości i uwagi (opcjonalne).",
        fields: "imie:string; nazwisko:string; data_urodzenia:date; e_mail:email; telefon:string; liczba_gosci:integer; uwagi:string?",
    },
    Case {
        phrase: "Zgłoszenie usterki\n- Imię (wymagane)\n- Telefon: tekst\n- Data usterki\n- Priorytet: niski, średni lub wysoki\n- Koszt naprawy (w złotych)\n- Naprawione (tak/nie)\n- Pozycje: nazwa, ilość, cena",
        fields: "imie:string!; telefon:string; data_usterki:date; priorytet:string(niski|średni|wysoki); koszt_naprawy:number; naprawione:boolean; pozycje[]{nazwa:string; ilosc:integer; cena:number}",
    },
    Case {
        phrase: "Zapisy na kurs: imię i nazwisko, wiek od 18 do 99, język (polski, angielski, niemiecki), zgoda na regulamin (tak/nie). Wszystkie pola są wymagane oprócz uwag.",
        fields: "imie:string!; nazwisko:string!; wiek:integer!; jezyk:string(polski|angielski|niemiecki)!; zgoda_na_regulamin:boolean!",
    },
    Case {
        phrase: "Crie um formulário com nome, apelido, data de nascimento, e-mail, telefone, número de convidados e observações (opcional).",
        fields: "nome:string; apelido:string; data_de_nascimento:date; e_mail:email; telefone:string; numero_de_convidados:integer; observacoes:string?",
    },
    Case {
        phrase: "Pedido de reparação\n- Nome (obrigatório)\n- Telefone: texto\n- Data da avaria\n- Prioridade: baixa, média ou alta\n- Custo estimado (em euros)\n- Reparado (sim/não)\n- Artigos: código, quantidade, preço",
        fields: "nome:string!; telefone:string; data_da_avaria:date; prioridade:string(baixa|média|alta); custo_estimado:number; reparado:boolean; artigos[]{codigo:string; quantidade:integer; preco:number}",
    },
    Case {
        phrase: "Inscrição num curso: nome completo, idade entre 18 e 99, língua (português, inglês ou francês), aceita os termos (sim/não). Todos os campos são obrigatórios exceto a língua.",
        fields: "nome_completo:string!; idade:integer!; lingua:string(português|inglês|francês); aceita_os_termos:boolean!",
    },
    Case {
        phrase: "Skapa ett formulär med förnamn, efternamn, födelsedatum, e-postadress, telefonnummer, antal gäster och anmärkningar (valfritt).",
        fields: "fornamn:string; efternamn:string; fodelsedatum:date; e_postadress:email; telefonnummer:string; antal_gaster:integer; anmarkningar:string?",
    },
    Case {
        phrase: "Felanmälan\n- Namn (obligatoriskt)\n- Telefon: text\n- Datum för felet\n- Prioritet: låg, medel eller hög\n- Uppskattad kostnad (i kronor)\n- Åtgärdat (ja/nej)\n- Artiklar: artikelnummer, antal, pris",
        fields: "namn:string!; telefon:string; datum_for_felet:date; prioritet:string(låg|medel|hög); uppskattad_kostnad:number; atgardat:boolean; artiklar[]{artikelnummer:string; antal:integer; pris:number}",
    },
    Case {
        phrase: "Anmälan till en kurs: namn, ålder mellan 18 och 99, språk (svenska, engelska eller franska), godkänner villkoren (ja/nej). Alla fält är obligatoriska utom språk.",
        fields: "namn:string!; alder:integer!; sprak:string(svenska|engelska|franska); godkanner_villkoren:boolean!",
    },
];

/// Written before the first run on them.
pub(crate) const OTHER_CASES: &[Case] = &[
    Case {
        phrase: "Scheda cliente per una palestra con nome completo, codice fiscale, tipo di abbonamento (mensile, trimestrale o annuale), peso in kg, altezza in cm, certificato medico consegnato (sì/no) e data di inizio",
        fields: "nome_completo:string; codice_fiscale:string; tipo_di_abbonamento:string(mensile|trimestrale|annuale); peso:number; altezza:number; certificato_medico_consegnato:boolean; data_di_inizio:date",
    },
    Case {
        phrase: "Rapporto di intervento: tecnico, data, ore lavorate, indirizzo con via, città e CAP, ricambi utilizzati (descrizione, quantità, prezzo) e firma del cliente",
        fields: "tecnico:string; data:date; ore_lavorate:number; indirizzo{via:string; citta:string; cap:string}; ricambi_utilizzati[]{descrizione:string; quantita:integer; prezzo:number}; firma_del_cliente:string",
    },
    Case {
        phrase: "Klantkaart voor een sportschool met volledige naam, soort abonnement (maandelijks, per kwartaal of jaarlijks), gewicht in kg, lengte in cm, medische verklaring ingeleverd (ja/nee) en startdatum",
        fields: "volledige_naam:string; soort_abonnement:string(maandelijks|per kwartaal|jaarlijks); gewicht:number; lengte:number; medische_verklaring_ingeleverd:boolean; startdatum:date",
    },
    Case {
        phrase: "Werkbon: monteur, datum, gewerkte uren, adres met straat, postcode en plaats, gebruikte onderdelen (omschrijving, aantal, prijs) en handtekening van de klant",
        fields: "monteur:string; datum:date; gewerkte_uren:number; adres{straat:string; postcode:string; plaats:string}; gebruikte_onderdelen[]{omschrijving:string; aantal:integer; prijs:number}; handtekening_van_klant:string",
    },
    Case {
        phrase: "Karta klienta siłowni: imię i nazwisko, rodzaj karnetu (miesięczny, kwartalny lub roczny), waga w kg, wzrost w cm, zaświadczenie lekarskie dostarczone (tak/nie) oraz data rozpoczęcia",
        fields: "imie:string; nazwisko:string; rodzaj_karnetu:string(miesięczny|kwartalny|roczny); waga:number; wzrost:number; zaswiadczenie_lekarskie_dostarczone:boolean; data_rozpoczecia:date",
    },
    Case {
        phrase: "Protokół serwisowy\n- Technik\n- Data wizyty\n- Liczba godzin\n- Adres: ulica, kod pocztowy, miasto\n- Użyte części: nazwa, ilość, cena\n- Podpis klienta (wymagany)",
        fields: "technik:string; data_wizyty:date; liczba_godzin:integer; adres{ulica:string; kod_pocztowy:string; miasto:string}; uzyte_czesci[]{nazwa:string; ilosc:integer; cena:number}; podpis_klienta:string!",
    },
    Case {
        phrase: "Ficha de cliente de um ginásio com nome completo, NIF, tipo de assinatura (mensal, trimestral ou anual), peso em kg, altura em cm, atestado médico entregue (sim/não) e data de início",
        fields: "nome_completo:string; nif:string; tipo_de_assinatura:string(mensal|trimestral|anual); peso:number; altura:number; atestado_medico_entregue:boolean; data_de_inicio:date",
    },
    Case {
        phrase: "Relatório de intervenção: técnico, data, horas trabalhadas, morada com rua, código postal e localidade, peças usadas (descrição, quantidade, preço) e assinatura do cliente",
        fields: "tecnico:string; data:date; horas_trabalhadas:number; morada{rua:string; codigo_postal:string; localidade:string}; pecas_usadas[]{descricao:string; quantidade:integer; preco:number}; assinatura_do_cliente:string",
    },
    Case {
        phrase: "Kundkort för ett gym med fullständigt namn, typ av medlemskap (månadsvis, kvartalsvis eller årsvis), vikt i kg, längd i cm, läkarintyg inlämnat (ja/nej) och startdatum",
        fields: "fullstandigt_namn:string; typ_av_medlemskap:string(månadsvis|kvartalsvis|årsvis); vikt:number; langd:number; lakarintyg_inlamnat:boolean; startdatum:date",
    },
    Case {
        phrase: "Servicerapport: tekniker, datum, arbetade timmar, adress med gata, postnummer och ort, använda delar (beskrivning, antal, pris) och kundens underskrift",
        fields: "tekniker:string; datum:date; arbetade_timmar:number; adress{gata:string; postnummer:string; ort:string}; anvanda_delar[]{beskrivning:string; antal:integer; pris:number}; kundens_underskrift:string",
    },
];

#[test]
fn a_kind_of_form_is_known_in_every_complete_language() {
    for (phrase, wanted) in [
        ("un modulo di contatto", &["nome", "e_mail", "messaggio"][..]),
        ("una fattura per i clienti", &["numero_fattura", "righe", "importo_totale"]),
        ("een contactformulier", &["naam", "e_mail", "bericht"]),
        ("sollicitatieformulier", &["voornaam", "werkervaring", "vaardigheden"]),
        ("formularz kontaktowy", &["imie", "nazwisko", "wiadomosc"]),
        ("formularz rejestracji na wydarzenie", &["imie", "liczba_osob"]),
        ("um formulário de contacto", &["nome", "mensagem"]),
        ("ficha de inscrição para um evento", &["apelido", "numero_de_pessoas"]),
        ("ett kontaktformulär", &["namn", "e_post", "meddelande"]),
        ("en jobbansökan", &["fornamn", "fardigheter", "onskad_lon"]),
        // Of a name that is written alike in two languages the first counts.
        ("Kontaktformular", &["betreff", "nachricht"]),
    ] {
        let schema = generate_schema(phrase).unwrap();
        for name in wanted {
            assert!(
                schema.contains_key(*name),
                "{phrase}: no {name} in {:?}",
                schema.keys().collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn ranges_and_forms_of_dates_are_read_in_every_complete_language() {
    for (phrase, field, low, high) in [
        ("nome, età tra 18 e 99 e note", "eta", 18, 99),
        ("naam, leeftijd van 18 tot 99 en opmerkingen", "leeftijd", 18, 99),
        ("imię, wiek od 18 do 99 i uwagi", "wiek", 18, 99),
        ("nome, idade de 18 a 99 e observações", "idade", 18, 99),
        ("namn, ålder från 18 till 99 och anmärkningar", "alder", 18, 99),
    ] {
        let schema = generate_schema(phrase).unwrap();
        assert_eq!(
            (&schema[field]["minimum"], &schema[field]["maximum"]),
            (&low.into(), &high.into()),
            "{phrase}"
        );
    }
    for (phrase, field) in [
        ("nome, consegna (gg/mm/aaaa), telefono", "consegna"),
        ("naam, levering (dd-mm-jjjj), telefoon", "levering"),
        ("imię, dostawa (dd.mm.rrrr), telefon", "dostawa"),
        ("nome, entrega (dd/mm/aaaa), telefone", "entrega"),
        ("namn, leverans (åååå-mm-dd), telefon", "leverans"),
    ] {
        assert_eq!(generate_schema(phrase).unwrap()[field]["type"], "date", "{phrase}");
    }
}
