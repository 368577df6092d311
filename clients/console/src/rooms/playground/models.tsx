/** The models that can be asked: their providers, abilities and prices. */

import { dollars, number, t } from "../../i18n.ts";
import type { Model } from "./request.ts";

export function priceOf(model: Model): string {
  const { price } = model;
  if (!price) return t("play.no_price");
  if (price.picture !== null && price.picture !== undefined)
    return t("play.price_picture", { price: dollars(price.picture) });
  if (price.input === 0 && price.output === 0) return t("play.free");
  return t("play.price", { input: dollars(price.input), output: dollars(price.output) });
}

/** A kind such as `text-to-text` in words. */
export function kindOf(model: Model): string {
  return model.type.replaceAll("-", " ");
}

export function ModelTable({ models }: { models: Model[] }) {
  return (
    <div className="wide-table" tabIndex={0} role="region" aria-label={t("play.models")}>
      <table className="plain">
        <thead>
          <tr>
            <th>{t("play.model")}</th>
            <th>{t("play.provider")}</th>
            <th>{t("play.kind")}</th>
            <th className="end">{t("play.context")}</th>
            <th className="end">{t("play.output")}</th>
            <th>{t("play.vision")}</th>
            <th>{t("play.prices")}</th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.modelId}>
              <td>
                <bdi>{model.name}</bdi>
                <br />
                <small className="mono">{model.modelId}</small>
              </td>
              <td>{model.provider}</td>
              <td>{kindOf(model)}</td>
              <td className="end">{model.contextTokens ? number(model.contextTokens) : "–"}</td>
              <td className="end">{model.outputTokens ? number(model.outputTokens) : "–"}</td>
              <td>{model.vision == null ? "–" : t(model.vision ? "yes" : "no")}</td>
              <td>{priceOf(model)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
