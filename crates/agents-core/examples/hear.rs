use agents_core::chat::{Heard, Phase, reader};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let schema: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&std::fs::read_to_string(&args[1]).unwrap()).unwrap();
    let form = forms_core::FormSchema::parse(&schema).unwrap();
    let values: serde_json::Map<String, serde_json::Value> = serde_json::from_str(args.get(4).map_or("{}", |s| s.as_str())).unwrap();
    let recent: Vec<String> = values.keys().map(|k| format!("/{k}")).collect();
    let asked = Some(args[2].as_str()).filter(|a| !a.is_empty());
    let heard = Heard { message: &args[3], form: &form, phase: Phase::Filling, asked, values: &values, recent: &recent, today: chrono::NaiveDate::from_ymd_opt(2026, 11, 22).unwrap() };
    println!("{:#?}", reader::read(&heard));
}
