//! Synonyms of several languages in everyday documents, so that a question matches an answer in other words:
//! `cost` and `price`, `end` and `termination`, `Preis` and `price`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Maximum letters of an inflected word beyond its entry. Such as *-en* and *-ing*. Chosen by hand; no
/// measurement is recorded.
const MAX_ENDING: usize = 3;

/// Each line is one meaning: folded prefixes of words; at most 64 lines.
const MEANINGS: &[&str] = &[
    "price cost costs fee fees charge charges rate tariff preis preise kosten kostet kostenpunkt gebuhr entgelt prix cout coute couter tarif frais precio cuesta cuestan costo coste tarifa costa costano prezzo costi preco custo custa prijs kost tarief cena cennik kosztuje koszt koszty oplata",
    "pay paid payment payable pays zahlen zahlung zahlbar bezahlt bezahlen gezahlt paiement payer payable paye pago pagar pagado pagamento pagare pagato betaling betalen betaald platnosc zaplacic zaplata",
    "start starts begin begins began begun beginning commence commencement commences opened launch beginn beginnt begann anfang startet gestartet debut debute commence commencer inicio comienza empieza empezar comenzar inizio inizia cominciare inizio comeca comecou iniciar beginnen begint begon rozpoczec rozpoczyna poczatek zaczyna zaczela",
    "end ends ended expire expires expiry expiration terminate terminates termination finish finishes finished ende endet enden endete ablauf lauft endtermin fin finit finir termine terminer expire echeance termina terminar finaliza vence vencimiento finisce finire scade scadenza fine acaba fim einde eindigt eindigen afloopt konczy koniec zakonczenie wygasa",
    "terminate terminated termination cancel cancels cancelled cancellation notice kundigen kundigung kundbar gekundigt stornieren storno stornierung resilier resiliation annuler annulation preavis rescindir rescision cancelar cancelacion preaviso disdire disdetta recesso recedere annullare annullamento cancelamento rescisao opzeggen opzegging annuleren opzegtermijn annulering wypowiedzenie wypowiedziec anulowac odwolac",
    "deliver delivers delivered delivery deliveries ship shipped shipping shipment liefern liefert geliefert lieferung lieferzeit versand versenden livraison livrer livre expedition entrega entregar entregado envio enviar consegna consegnare spedizione consegnato levering leveren geleverd verzending verzenden dostawa dostarczyc dostarczony wysylka",
    "phone telephone tel call hotline mobile telefon telefonnummer anrufen rufnummer handy appeler telefono llamar chiamare telefone ligar telefoon bellen zadzwonic",
    "email mail e-mail mailto correo elettronica electronique",
    "address located location situated adresse anschrift standort sitz befindet liegt adresse situe situee direccion ubicada ubicado ubicacion indirizzo sede situato endereco localizado morada adres gelegen ligt bevindt siedziba znajduje polozony",
    "open opens opening hours offen geoffnet offnet offnungszeiten ouvert ouvre ouverture horaires abierto abre apertura horario aperto apre orari aberto abertura geopend openingstijden otwarte czynne otwarcia godziny otwarty",
    "close closes closed closing geschlossen schliesst schliessung ferme fermeture cerrado cierra cierre chiuso chiude chiusura fechado fecha fechamento gesloten sluit sluiting zamkniete zamkniety",
    "employ employs employee employees staff workforce worker workers mitarbeiter mitarbeitende beschaftigt beschaftigte angestellte belegschaft employe salarie effectif empleado trabajador plantilla dipendente personale empregado funcionario werknemer medewerker personeel pracownik zatrudnia personel",
    "write wrote written author authors verfasst verfasser autor geschrieben ecrit auteur escribio escrito scritto autore scrisse escreveu escrito schreef geschreven auteur napisal autor",
    "buy buys bought purchase purchased purchases acquire acquired acquisition kaufen kauft gekauft kauf erwerben erworben ubernommen ubernahme acheter achete achat acquis compra comprar comprado adquirir acquistare acquisto comprato comprou aquisicao kopen gekocht aankoop overname kupic zakup kupil",
    "sell sells sold sale selling seller verkaufen verkauft verkauf verkaufer vendre vendu vente vendeur vender vendido venta vendedor vendere venduto vendita venditore venda verkoop verkopen verkocht verkoper sprzedaz sprzedac sprzedawca sprzedal",
    "customer customers client clients buyer purchaser kunde kunden kaufer auftraggeber acheteur cliente comprador acquirente klant koper klient kupujacy",
    "supplier vendor provider contractor lieferant anbieter auftragnehmer fournisseur prestataire proveedor contratista fornitore appaltatore fornecedor leverancier aannemer dostawca wykonawca",
    "total sum amount amounts gesamt gesamtbetrag summe betrag insgesamt montant somme importe totale importo ammontare quantia valor montante bedrag totaal kwota suma razem",
    "tax vat mwst umsatzsteuer mehrwertsteuer steuer impot impuesto iva imposta imposto belasting btw podatek",
    "deadline due latest faellig fallig frist stichtag echeance delai plazo vencimiento scadenza termine prazo uiterlijk deadline termin ostateczny",
    "duration long period last lasts lasting term dauer dauert laufzeit zeitraum duree dure durer periode duracion dura durar periodo durata durare duracao duur duurt looptijd periode trwa okres dlugo",
    "warranty guarantee guaranteed garantie gewahrleistung garantia garanzia gwarancja",
    "refund refunded refunds reimburse reimbursed reimbursement erstattet erstattung ruckerstattung rembourse remboursement rembourser reembolso reembolsar rimborso rimborsare restituicao terugbetaling terugbetaald zwrot",
    "return returns returned returning ruckgabe zurucksenden retoure retour retourner renvoyer devolucion devolver reso restituire devolucao devolver retourneren terugsturen zwrocic odeslac",
    "child children kid kids kind kinder enfant enfants nino ninos bambino bambini crianca criancas kinderen dziecko dzieci",
    "allowed permitted permit allow may erlaubt gestattet darf durfen zulassig autorise permis permitido permite consentito permesso autorizado toegestaan mag dozwolone wolno",
    "forbidden prohibited banned prohibit verboten untersagt unzulassig interdit defendu prohibido vietato proibito verboden zabronione zakazane",
    "size big dimension dimensions measures measure area grosse gross masse flache taille dimension surface tamano superficie dimensione misura grandezza tamanho grootte afmeting oppervlakte rozmiar wymiary powierzchnia",
    "weight weigh weighs heavy gewicht wiegt schwer wiegen poids pese peser peso pesa pesare gewicht weegt waga wazy",
    "temperature hot degrees degree heat grad temperatur heiss degres chaud temperatura grados gradi temperatuur graden stopni",
    "bake baked baking oven backen gebacken ofen backzeit cuire cuisson four hornear horno cuocere cottura forno cozer assar bakken gebakken oven piec pieczenie piekarnik",
    "ingredient ingredients zutat zutaten ingredientes ingredienti ingredient skladnik skladniki",
    "serving servings serves portion portions portionen portion personen porzioni porciones porcoes porties porcje",
    "rent rental lease tenant miete mieter mietvertrag mietzins loyer locataire location bail alquiler inquilino arrendamiento affitto canone locazione inquilino aluguel renda arrendamento huur huurder czynsz najem najemca",
    "landlord lessor owner vermieter eigentumer bailleur proprietaire arrendador propietario locatore proprietario senhorio verhuurder eigenaar wynajmujacy wlasciciel",
    "deposit kaution anzahlung caution depot fianza deposito cauzione caparra caucao waarborg borg kaucja zaliczka",
    "salary wage wages pay remuneration gehalt lohn vergutung salaire remuneration salario sueldo stipendio retribuzione ordenado salaris loon wynagrodzenie pensja",
    "holiday holidays vacation leave urlaub urlaubstage ferien conge conges vacances vacaciones ferie vakantie verlof urlop",
    "boss chief chair chairman chaired chairs head director leader leads led leitet leitung leiter geleitet vorsitz vorsitzende chef direktor dirige directeur president presidente preside dirige jefe direttore direttrice chefe voorzitter leidt szef kierownik prowadzi przewodniczy",
    "attend attended attendees present participants anwesend teilnehmer teilgenommen anwesende presents participants presente asistentes asistieron partecipanti presenti presentes participantes aanwezig deelnemers obecni uczestnicy",
    "decide decided decision resolved resolution agreed approved approve beschlossen beschluss entschieden genehmigt decide decision adopte approuve decidio decision aprobado aprobo acordo deciso approvato decisione decidiu aprovado decisao besloten besluit goedgekeurd zdecydowano uchwala zatwierdzono postanowiono",
    "responsible responsibility charge accountable zustandig verantwortlich verantwortung responsable responsabile responsavel verantwoordelijk odpowiedzialny odpowiada",
    "next nachste nachsten naechste prochain prochaine suivant proximo proxima siguiente prossimo prossima volgende nastepne nastepny",
    "meeting session sitzung besprechung versammlung treffen reunion seance sesion junta riunione seduta assemblea reuniao vergadering bijeenkomst spotkanie zebranie",
    "clean cleaned cleaning reinigen reinigung gereinigt saubern nettoyer nettoyage limpiar limpieza pulire pulizia limpar limpeza reinigen schoonmaken czyscic czyszczenie",
    "reset restart reboot zurucksetzen neustart reinitialiser redemarrer reiniciar restablecer ripristinare riavviare reiniciar resetten herstarten zresetowac restart",
    "error fault problem failure fehler storung problem erreur panne defaut fallo averia error errore guasto erro falha avaria fout storing blad usterka awaria",
    "penalty penalties fine fines late default vertragsstrafe strafe verzug verspatung penalite retard amende penalizacion multa retraso demora penale ritardo mora multa atraso boete vertraging kara opoznienie zwloka",
    "interest zinsen zins verzugszinsen interets interes intereses interessi juros rente odsetki",
    "insurance insured insure versicherung versichert assurance assure seguro asegurado assicurazione assicurato segurado verzekering verzekerd ubezpieczenie",
    "cover covered covers covering include includes included including contain contains abgedeckt enthalten inbegriffen umfasst couvre couvert compris inclus comprend cubre cubierto incluye incluido copre coperto compreso incluso cobre coberto inclui gedekt inbegrepen omvat obejmuje zawiera",
    "law applicable apply applies gilt anwendbar jurisdiction governing court governed recht gerichtsstand gericht anwendbares droit tribunal juridiction ley jurisdiccion tribunal legge foro diritto giurisdizione lei recht rechtbank prawo sad",
    "speed fast quick schnell geschwindigkeit vitesse rapide velocidad rapido velocita veloce snelheid snel predkosc szybko",
    "live lives lived living reside resident residents population inhabitants einwohner wohnt leben bevolkerung habitants population habite habitantes poblacion vive abitanti popolazione populacao inwoners bevolking wonen mieszkancow ludnosc mieszka",
    "born birth birthday geboren geburt geburtsdatum ne nee naissance nacio nacido nacimiento nato nata nascita nasceu nascimento geboren geboorte urodzony urodzil",
    "die died death dead gestorben starb tod verstorben mort morte deces mourut murio muerte fallecio morto morte decesso morreu gestorven overleden dood zmarl smierc",
    "found founded founder established establish gegrundet grunder grundung fonde fondateur creation fundada fundado fundador fondata fondato fondatore fundacao opgericht oprichter zalozony zalozyciel zalozono",
    "win won wins winner victory gewonnen gewann sieger gewinner gagne gagnant vainqueur gano ganador vincitore vinto ganhou vencedor gewonnen winnaar wygral zwyciezca",
    "build built construct constructed construction gebaut erbaut errichtet bau construit construction construido construyo costruito costruzione gebouwd bouw zbudowany budowa wybudowano",
    "ticket tickets admission entry entrance eintritt eintrittskarte karte billet entree entrada billete ingresso biglietto ingresso bilhete toegang kaartje bilet wstep",
    "contact reach kontakt kontaktieren erreichen contacter joindre contactar contacto contattare contatto contato contacteren kontaktowac",
    "capacity hold holds fassungsvermogen kapazitat fasst capacite contient capacidad capacita capacidade inhoud capaciteit pojemnosc",
    "change changes changed increase increased rise rose grew grown growth gestiegen erhoht anstieg wachstum augmente augmentation hausse aumento aumentado subio crecio crescita aumentato cresceu gestegen toename groei wzrost wzrosl",
    "fall fell decrease decreased decline declined drop dropped gesunken ruckgang gefallen baisse diminue recul bajo disminuyo descenso calo diminuito diminuicao caiu gedaald daling spadek spadl",
];

static ENTRIES: LazyLock<HashMap<&'static str, u64>> = LazyLock::new(|| {
    let mut entries = HashMap::new();
    for (meaning, words) in MEANINGS.iter().enumerate().take(64) {
        for word in words.split(' ') {
            *entries.entry(word).or_insert(0) |= 1_u64 << meaning;
        }
    }
    entries
});

/// The meanings of a folded word, one bit each; 0 if it is unknown.
pub(super) fn meanings(folded: &str) -> u64 {
    let mut shorter = folded;
    for _ in 0..=MAX_ENDING {
        if let Some(found) = ENTRIES.get(shorter) {
            return *found;
        }
        let Some((last, _)) = shorter.char_indices().next_back() else { return 0 };
        shorter = shorter.get(..last).unwrap_or_default();
        // Shorter rests are other words. Chosen by hand; no measurement is recorded.
        if shorter.len() < 4 {
            return 0;
        }
    }
    0
}

/// The meanings of a compound: its own, or those of its last part.
pub(super) fn compound_meanings(folded: &str) -> u64 {
    let own = meanings(folded);
    if own != 0 {
        return own;
    }
    // Both parts have letters enough: three before, five of the last. Chosen by hand; no measurement is
    // recorded.
    let parts = folded.char_indices().skip(3).filter_map(|(at, _)| folded.get(at..));
    parts.take_while(|part| part.len() >= 5).map(meanings).find(|found| *found != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_meaning_share_it_across_languages() {
        for (one, other) in [
            ("price", "kostet"),
            ("ends", "scadenza"),
            ("kundigung", "cancelled"),
            ("livraisons", "shipping"),
        ] {
            assert_ne!(meanings(one) & meanings(other), 0, "{one} {other}");
        }
        assert_eq!(meanings("price") & meanings("garantie"), 0);
        assert_eq!(meanings("") | meanings("xylophone"), 0);
    }

    #[test]
    fn every_meaning_has_a_bit() {
        assert!(MEANINGS.len() <= 64);
    }
}
