//! Stop words of each language. They identify the language and carry no meaning of their own.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::language::Language;

/// Languages with their stop words in lower case. Of equally likely languages, [`super::language::detect`]
/// returns the first.
const WORDS: [(Language, &str); 15] = [
    (
        Language::English,
        "a about above after again all also am an and any are aren as at be because been before \
         being below between both but by can cannot could couldn d did didn do does doesn doing don \
         down during each else few for from further give had has hasn have haven having he her here \
         hers herself him himself his how i if in into is isn it its itself just know let like ll m \
         many may me might more most much must my myself no nor not now of off on once one only or \
         other our ours out over own please re s same shall she should shouldn so some such t tell \
         than that the their theirs them themselves then there these they this those through to too \
         under until up upon us ve very was wasn we were weren what whats when where whether which \
         while who whom whose why will with within won would you your yours",
    ),
    (
        Language::German,
        "ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei \
         beim bin bis bist bitte da dabei dadurch dafür damit dann das dass dein deine dem den denn \
         der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch \
         ein eine einem einen einer eines er es etwa etwas euch euer für gewesen gibt hab habe haben \
         hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem \
         ins ist ja jede jedem jeden jeder jedes jene kann kein keine keinem keinen keiner können \
         könnte man mein meine mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne \
         sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollen sollte \
         sondern sonst um und uns unser unsere unter viel viele vielen vom von vor wann war waren \
         warum was wegen weil welche welchem welchen welcher welches wem wen wenn wer werde werden \
         wie wieder wieso wieviel will wir wird wirst wo wofür woher wohin womit worden wurde wurden \
         während würde zu zum zur zwischen über",
    ),
    (
        Language::French,
        "a ai ainsi après as au aucun aussi autre aux avant avec avez avoir avons c ce cela ces cet \
         cette ceux chez ci combien comme comment d dans de depuis des deux dit doit donc dont du \
         elle elles en encore entre es est et eu eux fait faut il ils j je jusqu l la le lequel les \
         lesquelles lesquels leur leurs lors lui là m ma mais me mes moi mon même n ne ni non nos \
         notre nous on ont ou où par pas pendant peu peut plus pour pourquoi qu quand que quel \
         quelle quelles quels qui quoi s sa sans se sera ses si sinon soit son sont sous sur t ta te \
         tes toi ton tous tout toute toutes tu un une vers veuillez vos votre vous y à ça été être",
    ),
    (
        Language::Spanish,
        "a al algo algunos ante antes aquí así aún cada como con cual cuales cualquier cuando cuanta \
         cuantas cuanto cuantos cuál cuáles cuándo cuánta cuántas cuánto cuántos cómo de del desde \
         donde dos durante dónde e el ella ellas ellos en entre era eran es esa ese eso esta estaba \
         estamos estas este esto estos está están fue fueron ha haber había hace han hasta hay la \
         las le les lo los me mi mientras muy más mí nada ni no nos nosotros o os otra otro para \
         pero poco por porque pues que quien quienes quién quiénes qué se sea ser si sin sobre solo \
         son su sus sí también tanto te tiene tienen todo todos tras tu un una uno unos usted \
         ustedes y ya yo él",
    ),
    (
        Language::Italian,
        "a abbia ad agli ai al alla alle allo anche avere aveva c che chi ci ciò co coi col come con \
         cosa così cui d da dagli dai dal dalla dalle dallo degli dei del dell della delle dello \
         deve di dopo dov dove e ed era erano essere fa fino fra fu gli ha hai hanno ho i il in io l \
         la le lei li lo loro lui ma mi mia mio molto ne negli nei nel nell nella nelle nello noi \
         non nostro o ogni per perché più poi prima può qual quale quali quando quanta quante quanti \
         quanto quello questa queste questi questo s se sei senza si sia siamo solo sono sotto sta \
         su sua sue sugli sui sul sulla sulle suo suoi tra tu tutti tutto un una uno vi voi è",
    ),
    (
        Language::Portuguese,
        "a ainda ao aos após as até cada com como da das de dela dele deles depois desde deve do dos \
         e ela elas ele eles em entre era eram essa esse esta estas este estes está estão eu faz foi \
         for foram fosse há isso isto já lhe mais mas me mesmo meu minha muito na nas nem no nos \
         nossa nosso num numa não nós o onde os ou para pela pelas pelo pelos pode podem por porque \
         quais qual quando quanta quantas quanto quantos que quem quê se sem ser será seu seus si \
         sob sobre somente sua suas são só também te tem ter teu tinha tu tudo têm um uma você vocês \
         à às é",
    ),
    (
        Language::Dutch,
        "aan al alle als altijd andere ben bij binnen daar dan dat de der deze die dit doen door dus \
         een en er ge geen gehad geweest had hadden heb hebben heeft hem het hier hij hoe hoeveel \
         hun iemand iets ik in is ja je jullie kan kon kunnen maar me meer men met mij mijn moet \
         moeten na naar niet niets nog nu of om omdat ons onze ook op over reeds te toch toen tot u \
         uit uw van veel voor waar waarom wanneer was wat we wel welk welke werd wie wij wil worden \
         wordt ze zelf zich zij zijn zo zonder zou zullen",
    ),
    (
        Language::Polish,
        "a aby ale bez bo by być był była było były ci co czy czyli dla do gdy gdzie go i ich ile im \
         ja jak jaka jaki jakich jakie jako jego jej jest jeszcze jeśli już ją kiedy kogo komu kto \
         która które którego której który których którzy lub ma mają mi mnie może można mu my na nad \
         nas nich nie niej nim o od ona one oni ono oraz pan pani po pod podczas ponieważ przed \
         przez przy się są ta tak także tam te tego tej ten to tu tych tylko tym u w we więc \
         wszystkich wszystko z za ze że",
    ),
    (
        Language::Swedish,
        "alla allt att av blev bli blir den denna det detta dig din du där då efter ej eller en er \
         ett finns från för ha hade han har henne hon hur här i icke inte jag kan man med mellan men \
         min mot mycket många ni nu när någon något och om oss på samt sedan sig sin sina ska skulle \
         som så till under upp ur ut utan vad var vara varför vem vi vid vilka vilken vilket än är \
         över",
    ),
    (
        Language::Danish,
        "af alle at blev blive bliver da de dem den denne der deres det dette dig din du efter eller \
         en end er et for fra ham han har havde have hende hun hvad hvem hver hvilken hvor hvordan \
         hvornår i ikke ind ja jeg jo kan man mange med meget men mig min mod ned nej noget nogle nu \
         når og også om op os over på sig sin skal som så til ud under var vi vil være år",
    ),
    (
        Language::Finnish,
        "ei eivät en ennen ettei että hän ja jo joka jos jossa jota kanssa koska kuin kuinka kuka \
         kun mikä milloin missä mitä mutta myös ne niin nyt oli olla on ovat paljonko se sekä sen \
         siitä sitä tai tämä vai",
    ),
    (
        Language::Russian,
        "а без более бы был была были было быть в вам вас все всё вы где да для до его ее если есть \
         еще же за и из или им их к как какая какие какого какой когда кто ли мне может мы на над не \
         нет но о об он она они от по под после при с сколько со так также там то только у уже чем \
         что чтобы эта эти это этот я",
    ),
    (
        Language::Romanian,
        "a această acest al ale am ar are au ca care ce cea cel cele cine cu cum când cât câte câți \
         că de despre din după ei el era este eu fi fost iar la le lui mai nu o pe pentru prin sau \
         se sunt un unde unei unui în și ște",
    ),
    (
        Language::Turkish,
        "ama bir biz bu da daha de değil en gibi hangi ile için kadar kaç kim mi mu mı nasıl ne \
         neden nerede o olan olarak sonra ve veya ya",
    ),
    (
        Language::Hungarian,
        "a az be csak de egy el ez fel ha hogy hogyan hol is kell ki meg melyik mennyi mert mi mikor \
         milyen minden mint mit nem nincs szerint vagy van volt és",
    ),
];

/// [`WORDS`] as sets.
pub(super) static STOP_WORDS: LazyLock<Vec<(Language, HashSet<&'static str>)>> =
    LazyLock::new(|| WORDS.iter().map(|(language, words)| (*language, words.split(' ').collect())).collect());

/// Whether a word in lower case is a stop word of a language; for an unknown language, of English.
pub(crate) fn is_stop_word(language: Language, word: &str) -> bool {
    let language = if language == Language::Other { Language::English } else { language };
    STOP_WORDS.iter().find(|(other, _)| *other == language).is_some_and(|(_, list)| list.contains(word))
}
