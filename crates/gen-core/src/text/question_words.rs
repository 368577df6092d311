//! Words of a question that say little about its subject.

use std::collections::HashSet;
use std::sync::LazyLock;

use language::fold::is_unspaced;

/// Words of a request, general verbs and names of documents; folded.
const LIGHT: &str = "use high tall used get gets getting got obtain new higher lower come late current currently ms \
    mr mrs frau herr lautet spat laat tempo tiempo temps horas tard aktuell neu neue neuen recipe \
    contract agreement invoice manual report letter article lease rezept vertrag rechnung anleitung \
    bericht brief recette contrat facture receta contrato factura ricetta contratto fattura receita \
    fatura recept factuur przepis umowa faktura make made take happen happens tell name named list \
    called find show say says said want work works mean means kind type exactly mentioned document \
    text according there number many amount year date time day place person people often far long \
    old set become became considered describe explain nenne nennen heisst macht machen zeigt \
    dokument laut gemass anzahl datum jahr tag zeit uhr lange hoch genannt erklare sag gilt betragt \
    texte faire nombre annee heure jour nom appelle hacer numero ano fecha hora dia llama documento \
    fare anno data ora giorno nome chiama testo fazer maken heet aantal jaar dag uur tijd robic \
    liczba rok dzien nazwa nazywa";

static LIGHT_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| LIGHT.split(' ').collect());

/// Whether a folded word says little about the subject of a question.
pub(super) fn is_light(folded: &str) -> bool {
    LIGHT_WORDS.contains(folded)
}

/// Question words of scripts without spaces, longer ones before those that they contain. As pairs of
/// characters they would be meaningless terms.
const ASKING: &str = "什么时候 为什么 什么 多少钱 多少 哪里 哪儿 哪个 哪些 怎么样 怎么 如何 几个 请问 是谁 谁 何时 いつまで いつ どこ だれ 誰 いくら なぜ どう どの どれ 何時 何 ですか ますか でしょうか ください は が を に の で 的 吗 呢 是 언제 어디 누구 얼마 무엇 어떻게 입니까 인가요";

/// Replaces the question words of scripts without spaces by spaces.
pub(super) fn without_question_words(text: &str) -> String {
    let mut text = text.to_owned();
    if text.chars().any(is_unspaced) {
        for word in ASKING.split(' ') {
            text = text.replace(word, " ");
        }
    }
    text
}
