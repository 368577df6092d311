//! FatturaPA 1.2 and earlier, the invoices of Italy. Its terms are given the names of EN 16931.

use super::mapping::{Group, Layout, Syntax, Value};
use Layout::{Lines, Table};
use Value::{First, Joined, Path};

pub(super) const FATTURA_PA: Syntax = Syntax {
    roots: &["fpa:FatturaElettronica", "FatturaElettronica"],
    aliases: &[],
    currency: "DatiGenerali/DatiGeneraliDocumento/Divisa",
    groups: PARTIES,
    invoices: Some(("FatturaElettronicaBody", INVOICES)),
};

const PARTIES: &[Group] = &[
    Group {
        heading: "Seller",
        at: &["FatturaElettronicaHeader/CedentePrestatore"],
        layout: Lines,
        fields: SELLER,
    },
    Group {
        heading: "Seller tax representative",
        at: &["FatturaElettronicaHeader/RappresentanteFiscale"],
        layout: Lines,
        fields: &[("BT-62", NAME), ("BT-63", VAT_IDENTIFIER)],
    },
    Group {
        heading: "Buyer",
        at: &["FatturaElettronicaHeader/CessionarioCommittente"],
        layout: Lines,
        fields: BUYER,
    },
];

const INVOICES: &[Group] = &[
    Group { heading: "Invoice", at: &["DatiGenerali"], layout: Lines, fields: INVOICE },
    Group { heading: "Payment", at: &["DatiPagamento"], layout: Lines, fields: PAYMENT },
    Group { heading: "Invoice lines", at: &["DatiBeniServizi/DettaglioLinee"], layout: Table, fields: LINES },
    Group {
        heading: "VAT breakdown",
        at: &["DatiBeniServizi/DatiRiepilogo"],
        layout: Table,
        fields: BREAKDOWN,
    },
    Group {
        heading: "Totals",
        at: &["DatiGenerali/DatiGeneraliDocumento"],
        layout: Lines,
        fields: &[("BT-114", Path("Arrotondamento")), ("BT-112", Path("ImportoTotaleDocumento"))],
    },
];

const NAME: Value = First(&[
    Path("DatiAnagrafici/Anagrafica/Denominazione"),
    Joined(" ", &[Path("DatiAnagrafici/Anagrafica/Nome"), Path("DatiAnagrafici/Anagrafica/Cognome")]),
]);

const VAT_IDENTIFIER: Value =
    Joined("", &[Path("DatiAnagrafici/IdFiscaleIVA/IdPaese"), Path("DatiAnagrafici/IdFiscaleIVA/IdCodice")]);

const STREET: Value = Joined(" ", &[Path("Sede/Indirizzo"), Path("Sede/NumeroCivico")]);

const ADDRESS: Value = Joined(
    ", ",
    &[
        STREET,
        Joined(" ", &[Path("Sede/CAP"), Path("Sede/Comune")]),
        Path("Sede/Provincia"),
        Path("Sede/Nazione"),
    ],
);

const SELLER: &[(&str, Value)] = &[
    ("BT-27", NAME),
    ("BT-31", VAT_IDENTIFIER),
    ("BT-32", Path("DatiAnagrafici/CodiceFiscale")),
    ("BG-5", ADDRESS),
    ("BT-35", STREET),
    ("BT-37", Path("Sede/Comune")),
    ("BT-38", Path("Sede/CAP")),
    ("BT-39", Path("Sede/Provincia")),
    ("BT-40", Path("Sede/Nazione")),
    ("BT-30", Joined(" ", &[Path("IscrizioneREA/Ufficio"), Path("IscrizioneREA/NumeroREA")])),
    ("BT-42", Path("Contatti/Telefono")),
    ("BT-43", Path("Contatti/Email")),
];

const BUYER: &[(&str, Value)] = &[
    ("BT-44", NAME),
    ("BT-48", VAT_IDENTIFIER),
    ("BT-46", Path("DatiAnagrafici/CodiceFiscale")),
    ("BG-8", ADDRESS),
    ("BT-50", STREET),
    ("BT-52", Path("Sede/Comune")),
    ("BT-53", Path("Sede/CAP")),
    ("BT-54", Path("Sede/Provincia")),
    ("BT-55", Path("Sede/Nazione")),
];

const INVOICE: &[(&str, Value)] = &[
    ("BT-1", Path("DatiGeneraliDocumento/Numero")),
    ("BT-2", Path("DatiGeneraliDocumento/Data")),
    ("BT-3", Path("DatiGeneraliDocumento/TipoDocumento")),
    ("BT-5", Path("DatiGeneraliDocumento/Divisa")),
    ("BT-13", Path("DatiOrdineAcquisto/IdDocumento")),
    ("BT-12", Path("DatiContratto/IdDocumento")),
    ("BT-15", Path("DatiRicezione/IdDocumento")),
    ("BT-16", Path("DatiDDT/NumeroDDT")),
    ("BT-25", Path("DatiFattureCollegate/IdDocumento")),
    ("BT-26", Path("DatiFattureCollegate/Data")),
    ("BT-22", Path("DatiGeneraliDocumento/Causale")),
];

const PAYMENT: &[(&str, Value)] = &[
    ("BT-20", Path("CondizioniPagamento")),
    ("BT-81", Path("DettaglioPagamento/ModalitaPagamento")),
    ("BT-9", Path("DettaglioPagamento/DataScadenzaPagamento")),
    ("BT-115", Path("DettaglioPagamento/ImportoPagamento")),
    ("BT-59", Path("DettaglioPagamento/Beneficiario")),
    ("BT-84", Path("DettaglioPagamento/IBAN")),
    ("BT-86", Path("DettaglioPagamento/BIC")),
];

const LINES: &[(&str, Value)] = &[
    ("BT-126", Path("NumeroLinea")),
    ("BT-153", Path("Descrizione")),
    ("BT-155", Path("CodiceArticolo/CodiceValore")),
    ("BT-129", Path("Quantita")),
    ("BT-130", Path("UnitaMisura")),
    ("BT-146", Path("PrezzoUnitario")),
    ("BT-151", Path("Natura")),
    ("BT-152", Path("AliquotaIVA")),
    ("BT-131", Path("PrezzoTotale")),
    ("BT-134", Path("DataInizioPeriodo")),
    ("BT-135", Path("DataFinePeriodo")),
];

const BREAKDOWN: &[(&str, Value)] = &[
    ("BT-118", Path("Natura")),
    ("BT-119", Path("AliquotaIVA")),
    ("BT-116", Path("ImponibileImporto")),
    ("BT-117", Path("Imposta")),
    ("BT-120", Path("RiferimentoNormativo")),
];
