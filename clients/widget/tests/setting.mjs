/** The server, a site and a browser for the tests of a file. */

import { launch } from "../../console/tests/browser.mjs";
import { PublicServer } from "./public.mjs";
import { Site } from "./site.mjs";
import { visit, Visitor } from "./visit.mjs";

export class Setting {
  static async start() {
    const setting = new Setting();
    setting.server = await PublicServer.start();
    setting.site = await Site.start(setting.server.origin);
    setting.server.sites = [setting.site.origin];
    setting.browser = await launch();
    return setting;
  }

  get origins() {
    return [this.site.origin, this.server.origin];
  }

  /** Opens a page of the site with the widget. */
  async visit(scripts, { look, ...options } = {}) {
    return this.at(this.site.page(scripts, look), options);
  }

  async at(address, options = {}) {
    const visited = await visit(this.browser, address, { origins: this.origins, ...options });
    return { ...visited, visitor: new Visitor(visited.page) };
  }

  async stop() {
    await this.browser?.close();
    this.site?.stop();
    await this.server?.stop();
  }
}
