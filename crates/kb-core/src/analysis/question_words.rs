//! Question words. They are rare in texts that make statements, so their rarity carries no information and
//! they get a low weight. The list depends on the language of the query, which is detected by its most
//! frequent words.

use std::collections::HashSet;

use super::forms::{WordForm, forms};

/// Frequent words of a language.
struct FrequentWords {
    language: &'static str,
    /// Question words and auxiliary verbs.
    asking: &'static str,
    /// Other words that identify the language.
    telling: &'static str,
}

const WORDS: &[FrequentWords] = &[
    FrequentWords {
        language: "en",
        asking: "who whom whose which what when where why how do does did done doing have has had having is are \
                 was were be been being am can could may might must shall should will would please tell",
        telling: "the a an of to in on at by for with from and or not this that these those it its he she they \
                  we you i me my your their there as than if into about",
    },
    FrequentWords {
        language: "de",
        asking: "wer wen wem wessen was wann wo warum wieso weshalb wie welche welcher welches welchen welchem \
                 wieviel wieviele worin womit woran worauf wofür wozu wodurch woher wohin wovon worum ist sind \
                 war waren sein wird werden wurde wurden worden hat haben hatte hatten kann können konnte konnten \
                 muss müssen musste mussten soll sollen sollte sollten darf dürfen bin gibt gab bitte",
        telling: "der die das den dem des ein eine einen einem einer eines und oder nicht von vom zu zum zur in \
                  im am an auf aus bei mit nach für über unter durch als auch es er sie wir ihr ich sich man \
                  dass so um",
    },
    FrequentWords {
        language: "fr",
        asking: "qui que quoi quel quelle quels quelles lequel laquelle quand où comment pourquoi combien est ce \
                 sont était étaient être été a ont avait avaient avoir fait font faire peut peuvent doit doivent \
                 puis",
        telling: "le la les un une des du de et ou ne pas dans en sur par pour avec au aux il elle ils elles on \
                  nous vous je se son sa ses leur leurs cette ces plus",
    },
    FrequentWords {
        language: "es",
        asking: "quién quiénes qué que cuál cuáles cuándo dónde adónde cómo cuánto cuánta cuántos cuántas quien \
                 cual cuando donde como cuanto es son era eran fue fueron ser sido está están ha han había hay \
                 puede pueden debe deben tiene tienen",
        telling: "el la los las un una unos unas de del y o no en por para con al se su sus lo le más a este esta \
                  desde",
    },
    FrequentWords {
        language: "it",
        asking: "chi che cosa quale quali qual quando dove come perché quanto quanta quanti quante è sono era \
                 erano essere stato stata fu furono ha hanno aveva avevano può possono deve devono",
        telling: "il lo la i gli le un uno una di del della dei delle degli e o non in nel nella per con su al \
                  alla da dal si suo sua più",
    },
    FrequentWords {
        language: "pt",
        asking: "quem que qual quais quando onde como quanto quanta quantos quantas é são era eram foi foram ser \
                 sido está estão há tem têm tinha pode podem deve devem",
        telling: "o a os as um uma de do da dos das e ou não em no na nos nas por para com ao se seu sua mais \
                  pelo pela",
    },
    FrequentWords {
        language: "nl",
        asking: "wie wat waar wanneer waarom hoe hoeveel welke welk wiens is zijn was waren wordt worden werd \
                 werden heeft hebben had hadden kan kunnen kon konden moet moeten zal zullen zou",
        telling: "de het een en of niet van in op te aan met voor bij door uit naar er dat die dit deze om tot \
                  over als ook hij zij ze je ik",
    },
    FrequentWords {
        language: "sv",
        asking: "vem vilka vilken vilket vad när var varför hur är var vara varit blir blev har hade kan kunde \
                 ska skulle måste får fick finns",
        telling: "en ett den det de och eller inte i på av till för med från om som att vid under efter sin han \
                  hon vi jag",
    },
    FrequentWords {
        language: "da",
        asking: "hvem hvad hvilken hvilket hvilke hvornår hvor hvorfor hvordan er var være været bliver blev har \
                 havde kan kunne skal skulle må findes",
        telling: "en et den det de og eller ikke i på af til for med fra om som at ved under efter sin han hun vi \
                  jeg",
    },
    FrequentWords {
        language: "no",
        asking: "hvem hva hvilken hvilket hvilke når hvor hvorfor hvordan er var være vært blir ble har hadde kan \
                 kunne skal skulle må finnes",
        telling: "en et ei den det de og eller ikke i på av til for med fra om som at ved under etter sin han hun \
                  vi jeg",
    },
    FrequentWords {
        language: "pl",
        asking: "kto kogo komu kim co czego jaki jaka jakie który która które kiedy gdzie dlaczego jak ile czy \
                 jest są był była było były być ma mają może mogą",
        telling: "i lub oraz nie w we na z ze do od po za przez dla o się to ten ta te jego jej ich",
    },
    FrequentWords {
        language: "ru",
        asking: "кто кого кому кем что чего чем какой какая какое какие который когда где куда откуда почему \
                 зачем как сколько ли есть был была было были быть может могут",
        telling: "и или не в во на с со к по за из от для о об у это этот эта эти его её их он она они мы вы я",
    },
    // Bigrams: these languages are identified by their script.
    FrequentWords {
        language: "zh",
        asking: "什么 什麼 怎么 怎麼 怎样 为什 為什 么样 哪些 哪个 哪里 多少 几个 如何 是谁 是否 请问",
        telling: "",
    },
    FrequentWords {
        language: "ja",
        asking: "とは なに 何で です すか ます どこ どの どう いつ だれ 誰が なぜ どん んな いく くつ くら 教え えて",
        telling: "",
    },
    FrequentWords {
        language: "ko",
        asking: "무엇 어디 언제 누구 누가 어떻 떻게 어떤 얼마 입니 니까 인가 가요 나요",
        telling: "",
    },
];

/// The question words of one query.
pub(super) struct QuestionWords(HashSet<&'static str>);

impl QuestionWords {
    /// The question words of the query's language, one of the given (any when there are none); none when the
    /// query has only question words.
    pub(super) fn of(query: &str, languages: &[String]) -> Self {
        let mut words: HashSet<String> = HashSet::new();
        forms(query, false, &mut |form: WordForm<'_>| {
            words.insert(form.text.to_owned());
        });
        let possible =
            |language: &str| languages.is_empty() || languages.iter().any(|known| known == language);
        let count = |list: &'static str| list.split_whitespace().filter(|word| words.contains(*word)).count();
        let mut asking: HashSet<&'static str> = HashSet::new();
        let spaced = WORDS.iter().filter(|list| !list.telling.is_empty() && possible(list.language));
        let told = spaced.map(|list| (count(list.asking) + count(list.telling), list));
        let best = told.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let unspaced = WORDS.iter().filter(|list| list.telling.is_empty());
        for list in unspaced.chain(best.filter(|(count, _)| *count > 0).map(|(_, list)| list)) {
            asking.extend(list.asking.split_whitespace());
        }
        if words.iter().all(|word| asking.contains(word.as_str())) {
            asking.clear();
        }
        Self(asking)
    }

    /// Whether a word is one of them.
    pub(super) fn has(&self, word: &str) -> bool {
        self.0.contains(word)
    }
}
