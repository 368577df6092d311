// Passes requests to the server, each with the key.
import http from "node:http";

const target = new URL(process.env.FORMWORK_URL);
const server = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${process.env.FORMWORK_KEY}` };
  const options = { host: target.hostname, port: target.port, path: request.url, method: request.method, headers };
  const onward = http.request(options, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
