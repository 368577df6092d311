//! Fixed replies of the built-in model, in the language of the question.

use language::Language;

/// The reply if the documents do not contain the answer.
pub(super) fn not_found(language: Language) -> &'static str {
    match language.code() {
        Some("de") => "Die vorliegenden Dokumente beantworten diese Frage nicht.",
        Some("fr") => "Les documents fournis ne répondent pas à cette question.",
        Some("es") => "Los documentos proporcionados no responden a esta pregunta.",
        Some("it") => "I documenti forniti non rispondono a questa domanda.",
        Some("pt") => "Os documentos fornecidos não respondem a esta pergunta.",
        Some("nl") => "De gegeven documenten beantwoorden deze vraag niet.",
        Some("pl") => "Podane dokumenty nie odpowiadają na to pytanie.",
        Some("sv") => "De givna dokumenten besvarar inte frågan.",
        Some("da") => "De givne dokumenter besvarer ikke spørgsmålet.",
        Some("ru") => "Предоставленные документы не отвечают на этот вопрос.",
        Some("zh") => "所提供的文档没有回答这个问题。",
        Some("ja") => "提供された文書には、この質問の答えがありません。",
        _ => "The given documents do not answer this question.",
    }
}

/// The reply without documents.
pub(super) fn no_documents(language: Language) -> &'static str {
    match language.code() {
        Some("de") => {
            "Es liegen keine Dokumente vor. Dieses Modell beantwortet Fragen aus gegebenen Dokumenten und Wissensdatenbanken, fasst sie zusammen und füllt Formulare aus ihnen; eigenes Wissen hat es nicht."
        }
        Some("fr") => {
            "Aucun document n'est fourni. Ce modèle répond à des questions à partir des documents et bases de connaissances donnés, les résume et en remplit des formulaires ; il n'a pas de connaissances propres."
        }
        Some("es") => {
            "No hay documentos. Este modelo responde preguntas a partir de los documentos y bases de conocimiento dados, los resume y rellena formularios con ellos; no tiene conocimientos propios."
        }
        Some("it") => {
            "Non ci sono documenti. Questo modello risponde a domande a partire dai documenti e dalle basi di conoscenza forniti, li riassume e ne compila moduli; non ha conoscenze proprie."
        }
        Some("pt") => {
            "Não há documentos. Este modelo responde a perguntas a partir dos documentos e bases de conhecimento fornecidos, resume-os e preenche formulários com eles; não tem conhecimento próprio."
        }
        Some("nl") => {
            "Er zijn geen documenten. Dit model beantwoordt vragen uit gegeven documenten en kennisbanken, vat ze samen en vult er formulieren mee in; eigen kennis heeft het niet."
        }
        Some("pl") => {
            "Nie podano dokumentów. Ten model odpowiada na pytania na podstawie podanych dokumentów i baz wiedzy, streszcza je i wypełnia nimi formularze; nie ma własnej wiedzy."
        }
        _ => {
            "There are no documents to read. This model answers questions from given documents and knowledge bases, summarises them and fills forms from them; it has no knowledge of its own."
        }
    }
}

/// The reply if the documents have no text to summarise.
pub(super) fn no_text(language: Language) -> &'static str {
    match language.code() {
        Some("de") => "Die vorliegenden Dokumente enthalten keinen Text.",
        Some("fr") => "Les documents fournis ne contiennent pas de texte.",
        Some("es") => "Los documentos proporcionados no contienen texto.",
        Some("it") => "I documenti forniti non contengono testo.",
        Some("pt") => "Os documentos fornecidos não contêm texto.",
        Some("nl") => "De gegeven documenten bevatten geen tekst.",
        Some("pl") => "Podane dokumenty nie zawierają tekstu.",
        _ => "The given documents contain no text.",
    }
}
