//! The index in memory keeps the contract of indexes of words.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use kb_core::{ChunkKey, IndexMark, IndexedChunk, LexicalIndex, LexicalQuery, MemoryLexicalIndex};

fn run(_: &str, case: impl FnOnce(Arc<dyn LexicalIndex>) -> BoxFuture<'static, ()>) {
    futures_executor::block_on(case(Arc::new(MemoryLexicalIndex::new())));
}

kb_core::lexical_contract!(run);

/// Paragraphs, and a question that each of them answers.
const UNSPACED: [(&str, &str, &str); 15] = [
    (
        "zh",
        "城南的老图书馆建于一九二三年，馆内藏有三万多册古籍，每逢周一闭馆整理。",
        "老图书馆星期几不开放，周一闭馆吗？",
    ),
    ("zh", "渡轮从北码头出发，冬季每天只有四班，遇到大雾便停航。", "冬季渡轮每天有几班？"),
    ("zh", "这台水泵的密封圈应当每六个月更换一次，更换前必须关闭电源。", "水泵的密封圈多久更换一次？"),
    ("zh", "果园里种着梨树和桃树，梨子通常在九月成熟，桃子则在七月。", "梨子什么时候成熟？"),
    ("zh", "面包店的老师傅凌晨三点开始揉面，第一炉面包六点出炉。", "第一炉面包几点出炉？"),
    ("zh", "山上的气象站记录风速和气温，数据每小时传送到城里一次。", "气象站的数据多久传送一次？"),
    (
        "ja",
        "駅前の時計店では、古い腕時計の修理に二週間ほどかかります。",
        "腕時計の修理にはどのくらいかかりますか？",
    ),
    (
        "ja",
        "この川では六月から鮎釣りが解禁され、釣り券は役場で買えます。",
        "鮎釣りの釣り券はどこで買えますか？",
    ),
    (
        "ja",
        "倉庫の温度は常に五度以下に保ち、扉を開けたままにしないでください。",
        "倉庫の温度は何度以下ですか？",
    ),
    (
        "ja",
        "新しいバス路線は病院と市場を結び、十五分おきに走っています。",
        "病院と市場を結ぶバス路線は何分おきですか？",
    ),
    ("th", "ร้านซ่อมจักรยานอยู่ติดกับตลาดเก่า เปิดทุกวันยกเว้นวันอาทิตย์", "ร้านซ่อมจักรยานเปิดวันไหน"),
    ("th", "เรือข้ามฟากออกจากท่าเรือทุกครึ่งชั่วโมงจนถึงสี่ทุ่ม", "เรือข้ามฟากออกทุกกี่ชั่วโมง"),
    ("th", "สวนมะม่วงแห่งนี้ให้ผลผลิตมากที่สุดในเดือนเมษายน", "สวนมะม่วงให้ผลผลิตเดือนใด"),
    (
        "ko",
        "도서관은 월요일마다 문을 닫고, 책은 이 주일 동안 빌릴 수 있습니다.",
        "도서관에서 책을 얼마 동안 빌릴 수 있나요?",
    ),
    ("ko", "항구에서 출발하는 배는 안개가 끼면 운항을 멈춥니다.", "안개가 끼면 배의 운항은 어떻게 되나요?"),
];

#[test]
fn questions_in_scripts_without_spaces_find_what_answers_them() {
    let words = MemoryLexicalIndex::new();
    let chunks = (1..).zip(UNSPACED).map(|(item, (language, text, _))| IndexedChunk {
        key: ChunkKey { item, position: 0 },
        base: 1,
        sequence: 1,
        title: String::new(),
        heading: String::new(),
        text: text.to_owned(),
        language: Some(language.to_owned()),
    });
    let languages: Vec<String> = ["zh", "ja", "th", "ko"].map(str::to_owned).into();
    futures_executor::block_on(async {
        words.put(chunks.collect()).await?;
        words.commit(IndexMark::default()).await?;
        for (item, (_, _, question)) in (1..).zip(UNSPACED) {
            let text = question.to_owned();
            let query = LexicalQuery {
                base: 1,
                text,
                languages: languages.clone(),
                items: None,
                limit: 3,
                ..LexicalQuery::default()
            };
            let found = words.search(&query).await?;
            assert_eq!(found.hits.first().map(|hit| hit.key.item), Some(item), "{question}");
        }
        Ok::<_, kb_core::IndexError>(())
    })
    .unwrap();
}
