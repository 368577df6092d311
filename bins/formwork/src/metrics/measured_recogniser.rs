//! Measures OCR of pages.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use document::{OcrError, RecognisedWord, TextRecogniser};

use super::recorder::Metrics;

/// The recogniser, whose pages are measured if there are metrics.
pub(crate) fn measure_ocr(
    recogniser: impl TextRecogniser,
    metrics: Option<Metrics>,
) -> Arc<dyn TextRecogniser> {
    match metrics {
        Some(metrics) => Arc::new(MeasuredRecogniser { recogniser, metrics }),
        None => Arc::new(recogniser),
    }
}

#[derive(Debug)]
struct MeasuredRecogniser<R> {
    recogniser: R,
    metrics: Metrics,
}

#[async_trait]
impl<R: TextRecogniser> TextRecogniser for MeasuredRecogniser<R> {
    async fn recognise(&self, png: Vec<u8>, dpi: u32) -> Result<Vec<RecognisedWord>, OcrError> {
        let begun = Instant::now();
        let outcome = self.recogniser.recognise(png, dpi).await;
        self.metrics.documents().record_ocr(outcome.is_ok(), begun.elapsed());
        outcome
    }

    fn identity(&self) -> String {
        self.recogniser.identity()
    }
}
