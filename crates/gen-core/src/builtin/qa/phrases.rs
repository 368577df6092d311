//! Fixed replies of the built-in model, in the language of the question.

use crate::text::Language;

/// The reply if the documents do not contain the answer.
pub(super) fn not_found(language: Language) -> &'static str {
    match language {
        Language::German => "Die vorliegenden Dokumente beantworten diese Frage nicht.",
        Language::French => "Les documents fournis ne répondent pas à cette question.",
        Language::Spanish => "Los documentos proporcionados no responden a esta pregunta.",
        Language::Italian => "I documenti forniti non rispondono a questa domanda.",
        Language::Portuguese => "Os documentos fornecidos não respondem a esta pergunta.",
        Language::Dutch => "De gegeven documenten beantwoorden deze vraag niet.",
        Language::Polish => "Podane dokumenty nie odpowiadają na to pytanie.",
        Language::Swedish => "De givna dokumenten besvarar inte frågan.",
        Language::Danish => "De givne dokumenter besvarer ikke spørgsmålet.",
        Language::Russian => "Предоставленные документы не отвечают на этот вопрос.",
        Language::Chinese => "所提供的文档没有回答这个问题。",
        Language::Japanese => "提供された文書には、この質問の答えがありません。",
        _ => "The given documents do not answer this question.",
    }
}

/// The reply without documents.
pub(super) fn no_documents(language: Language) -> &'static str {
    match language {
        Language::German => {
            "Es liegen keine Dokumente vor. Dieses Modell beantwortet Fragen aus gegebenen Dokumenten und Wissensdatenbanken, fasst sie zusammen und füllt Formulare aus ihnen; eigenes Wissen hat es nicht."
        }
        Language::French => {
            "Aucun document n'est fourni. Ce modèle répond à des questions à partir des documents et bases de connaissances donnés, les résume et en remplit des formulaires ; il n'a pas de connaissances propres."
        }
        Language::Spanish => {
            "No hay documentos. Este modelo responde preguntas a partir de los documentos y bases de conocimiento dados, los resume y rellena formularios con ellos; no tiene conocimientos propios."
        }
        Language::Italian => {
            "Non ci sono documenti. Questo modello risponde a domande a partire dai documenti e dalle basi di conoscenza forniti, li riassume e ne compila moduli; non ha conoscenze proprie."
        }
        Language::Portuguese => {
            "Não há documentos. Este modelo responde a perguntas a partir dos documentos e bases de conhecimento fornecidos, resume-os e preenche formulários com eles; não tem conhecimento próprio."
        }
        Language::Dutch => {
            "Er zijn geen documenten. Dit model beantwoordt vragen uit gegeven documenten en kennisbanken, vat ze samen en vult er formulieren mee in; eigen kennis heeft het niet."
        }
        Language::Polish => {
            "Nie podano dokumentów. Ten model odpowiada na pytania na podstawie podanych dokumentów i baz wiedzy, streszcza je i wypełnia nimi formularze; nie ma własnej wiedzy."
        }
        _ => {
            "There are no documents to read. This model answers questions from given documents and knowledge bases, summarises them and fills forms from them; it has no knowledge of its own."
        }
    }
}

/// The reply if the documents have no text to summarise.
pub(super) fn no_text(language: Language) -> &'static str {
    match language {
        Language::German => "Die vorliegenden Dokumente enthalten keinen Text.",
        Language::French => "Les documents fournis ne contiennent pas de texte.",
        Language::Spanish => "Los documentos proporcionados no contienen texto.",
        Language::Italian => "I documenti forniti non contengono testo.",
        Language::Portuguese => "Os documentos fornecidos não contêm texto.",
        Language::Dutch => "De gegeven documenten bevatten geen tekst.",
        Language::Polish => "Podane dokumenty nie zawierają tekstu.",
        _ => "The given documents contain no text.",
    }
}
