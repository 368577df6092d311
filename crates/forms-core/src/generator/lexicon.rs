//! Word lists for type inference: lower case, no diacritics. Common words of English, German, French and
//! Spanish forms, compiled for this crate.

use super::words::Phrases;

/// Words for e-mail addresses.
pub(super) static EMAIL: Phrases = Phrases::new(
    "email, e-mail, emails, e-mails, mail, courriel, mel, emailadresse, e-mail-adresse, mailadresse, \
    email-adresse, correo",
);
/// Words that make a name with an e-mail word something else.
pub(super) static ABOUT_EMAIL: Phrases = Phrases::new(
    "consent, subject, body, marketing, newsletter, newsletters, template, text, postal, updates, \
    notifications, provider, content, opt-in",
);
/// Words for URLs.
pub(super) static URL: Phrases = Phrases::new(
    "website, url, urls, link, links, homepage, webpage, webseite, internetseite, lien, enlace, \
    linkedin, github, uri, hyperlink, webaddress, internetadresse, liens, enlaces, websites",
);
/// Head nouns that are dates.
pub(super) static DATE: Phrases = Phrases::new(
    "date, dates, birthday, deadline, dob, birthdate, due, expiry, datum, geburtstag, frist, fecha, \
    echeance, vencimiento, anniversary, termin, fechas, wunschtermin, cumpleanos, liefertermin",
);
/// Head nouns that are integers.
pub(super) static INTEGER: Phrases = Phrases::new(
    "repetitions, wiederholungen, quantity, qty, age, rating, stars, year, headcount, floor, floors, count, anzahl, alter, \
    stuckzahl, quantite, cantidad, edad, jahr, baujahr, annee, stock, occupancy, etage, stockwerk, \
    personenzahl, units, bedrooms, bathrooms, guests, pages, copies, pax, bewertung, \
    passengers, seats, attendance, stuck, menge, calificacion, seitenzahl, personen, ano, adults, \
    rooms, ages, storeys, rank, servings, reps, sets, calories, semester",
);
/// Head nouns that are numbers.
pub(super) static NUMBER: Phrases = Phrases::new(
    "sales, losses, ventes, ventas, ingresos, ingreso, gastos, saldo, tasa, cuota, expenses, frais, solde, acompte, caution, \
    kilos, kilometros, kilograms, tonnes, tons, miles, mpg, \
    amount, price, cost, costs, total, subtotal, fee, fees, salary, revenue, budget, weight, height, \
    length, width, depth, temperature, distance, volume, hours, duration, rate, percentage, percent, \
    discount, tax, vat, balance, deposit, income, turnover, mileage, yield, years, score, speed, \
    pressure, bmi, wage, rent, premium, tip, latitude, longitude, odometer, dose, capacity, betrag, \
    preis, kosten, summe, gewicht, grosse, hohe, lange, breite, gehalt, gehaltsvorstellung, umsatz, \
    dauer, stunden, temperatur, flache, miete, rabatt, steuer, gebuhr, lohn, kilometerstand, \
    entfernung, prozent, quadratmeter, wohnflache, stundensatz, montant, prix, cout, poids, taille, \
    hauteur, longueur, largeur, duree, salaire, surface, remise, tva, loyer, kilometrage, revenu, \
    importe, precio, coste, costo, peso, altura, longitud, ancho, duracion, salario, sueldo, \
    superficie, presupuesto, descuento, iva, alquiler, kilometraje, minutes, months, weeks, days, \
    thickness, diameter, radius, radii, wattage, voltage, power, consumption, reading, value, worth, \
    loss, profit, margin, mwst, gesamtbetrag, endbetrag, nettobetrag, bruttobetrag, zwischensumme, \
    gesamtsumme, moisture, humidity, ph, tonnage, hectares, acreage, acres, sqm, kwh, excess, \
    deductible, concentration, montants, tarif, tarifa, estimate, bonus, pulse, pay, kilometres, \
    kilometers, miles, turbidity, conductivity, salinity, alkalinity, intensity, density, viscosity, \
    altitude, elevation, slope, angle, sphere, cylinder, axis, torque, flow, glucose, cholesterol, \
    saturation, wages, sum, earnings, expenditure, savings, litres, liters, hardness, brightness, \
    bandwidth, throughput, energy, tare, cgpa, gpa",
);
/// Endings of German compounds that are numbers.
pub(super) static NUMBER_ENDINGS: Phrases = Phrases::new(
    "beitrag, betrag, preis, kosten, summe, gewicht, grosse, hohe, lange, breite, gehalt, umsatz, dauer, \
    stunden, temperatur, flache, miete, rabatt, steuer, gebuhr, lohn, stand, satz, budget, wert, \
    pramie, quote, druck, verbrauch, leistung",
);
/// Participles that make a name a yes-no question.
pub(super) static PARTICIPLES: Phrases = Phrases::new(
    "paid, vaccinated, filed, included, insured, damaged, verified, subscribed, certified, needed, \
    wanted, accepted, signed, completed, approved, available, confirmed, installed, attached, \
    refrigerated, hazardous, fragile, employed, neutered, spayed, microchipped, furnished, married, \
    registered, refundable, urgent, perishable, smoker, allowed, acknowledged, received?, enclosed, \
    notified, injured?, tested, passed, agreed, vorhanden, bezahlt, erforderlich, geimpft, signiert, \
    unterschrieben, gewunscht, taxable, recurring, billable, reimbursable, sterilized, sterilised, \
    pregnant, opt-in, consent, einwilligung, consentement, consentimiento, zustimmung, refused, \
    cleaned, checked, returned, delivered, anonymous, licensed, disabled, gluten-free, functional, \
    informiert, enthalten, incluido, incluida, inclus, incluse, payé, paye, pagado, vacunado, \
    vaccine, renewable, auto-renewal, autorenewal",
);
/// First words of yes-no questions.
pub(super) static ASKING: Phrases = Phrases::new(
    "is, are, was, were, has, have, had, do, does, did, can, could, will, would, should, may, ist, \
    sind, hat, haben, wird, kann",
);
/// Names of text lists.
pub(super) static LISTS: Phrases = Phrases::new(
    "skills, languages, ingredients, tags, keywords, hobbies, kenntnisse, sprachen, competences, \
    langues, habilidades, idiomas, attendees, participants, teilnehmer, participantes, medications, \
    zutaten, sprachkenntnisse, ingredientes, symptoms, authors",
);
/// Things that have fields.
pub(super) static OBJECTS: Phrases = Phrases::new(
    "address, addresses, contact, dimensions, location, company, person, adresse, anschrift, \
    direccion, owner, coordinates, guardian, parent, vehicle, insurance, kin, employer, \
    lieferadresse, rechnungsadresse, ansprechpartner, notfallkontakt, contacto, vehicule, vehiculo, \
    abmessungen, masse, spouse, beneficiary, driver, landlord, tenant, referee, sender, recipient, \
    buyer, seller, name, product, measurements, position, schedule, vitals, customer, patient, \
    client, supplier, vendor, account, exporter, importer, kontakt",
);
/// Words for the parts of an address.
pub(super) static ADDRESS_PARTS: Phrases = Phrases::new(
    "street, city, town, zip, postcode, postal, state, country, county, region, province, number, \
    house, line, district, strasse, hausnummer, plz, postleitzahl, ort, stadt, land, rue, ville, \
    pays, code, calle, ciudad, pais, codigo, numero, provincia, apartment, suburb, unit, building, \
    floor, road, area",
);
/// Common field names. A list of these enumerates fields, not options.
pub(super) static FIELDS: Phrases = Phrases::new(
    "name, phone, email, street, city, zip, postcode, country, quantity, qty, price, amount, date, \
    type, description, title, sku, unit, relationship, age, dob, role, hours, cost, location, \
    telefon, nom, prenom, nombre, telefono, apellido, ville, rue, calle, ciudad, strasse, ort, plz, \
    menge, preis, anzahl, bezeichnung, quantite, prix, cantidad, precio, descripcion, length, width, \
    height, weight, address, telephone, notes, make, model, year, total, rate, code, id, number, \
    reference, adresse, direccion, company, message, comment, comments, subject, dose, dosage, \
    frequency, breite, hohe, lange, relation, vorname, nachname, beruf, iban, bic, swift, vin, \
    surname, signature, department, category, status, brand, item, task, owner",
);
/// Words of names that are followed by options.
pub(super) static CHOICES: Phrases = Phrases::new(
    "preferred, preference, type, types, method, kind, category, status, mode, way, channel, level, \
    priority, class, size, colour, color, option, reason, gender, sex, tier, severity, result, \
    outcome, condition, frequency, department, language, marital, species, art, grund, kategorie, \
    anrede, zustand, prioritat, estado, tipo, motivo, prioridad, etat, motif, priorite, categorie, \
    categoria, moyen, forma, metodo, geschlecht, title, salutation, grade, shift, plan, package, \
    format, mood, urgency, flavour, flavor, currency, purpose, style, material, finish, source",
);
/// Units of measurement.
pub(super) static UNITS: Phrases = Phrases::new(
    "grammes, kilogrammes, gramos, kilogramos, litros, heure, minuto, minutos, segundos, kg, g, mg, lb, lbs, oz, t, tonnes, tons, km, m, cm, mm, miles, mi, ft, feet, inches, h, hours, \
    hrs, min, mins, minutes, seconds, sec, s, days, weeks, months, years, eur, euro, euros, usd, \
    dollars, gbp, pounds, chf, €, $, £, %, percent, c, °c, °f, f, celsius, fahrenheit, ml, l, litres, \
    liters, m2, m3, sqm, kwh, kw, w, v, bar, psi, mmhg, bpm, km/h, mph, metres, meters, square, \
    grams, kilograms, kilos, kilometres, kilometers, stunden, tagen, tage, monaten, jahren, heures, \
    jours, mois, ans, horas, dias, meses, anos, metros, prozent, prozentsatz, minuten, ha, hectares, \
    acres, gb, mb, cents, yen, sek, ppm, db, nm, hz, quintals, bushels, knots, litern, metern, \
    franken, gallons, pesos, kilogramm, gramm, pence, rupees, inr, cad, aud, pln, m², m³, cubic, gsm, \
    dpi, px, kcal, kva, ohm, lumens, mbps, kph, nok, dkk, czk, huf, brl, mxn, dollar, rpm",
);
