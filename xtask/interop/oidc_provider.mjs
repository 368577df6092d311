// An OpenID provider on this machine: oidc-provider with its own pages to sign in. Whoever signs in as NAME has the
// address NAME@example.com, which is verified unless the name begins with "unverified".
// Arguments: folder of oidc-provider, port, id and secret of the client, redirect URL, "token" or "user-info" for the
// place of the claims.
import { createRequire } from 'node:module';
import { generateKeyPairSync } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const [folder, port, clientId, clientSecret, redirectUrl, place] = process.argv.slice(2);
const path = createRequire(`${folder}/`).resolve('oidc-provider');
const { Provider } = await import(pathToFileURL(path));

const key = (type, options, alg, kid) => {
  const { privateKey } = generateKeyPairSync(type, options);
  return { ...privateKey.export({ format: 'jwk' }), alg, kid, use: 'sig' };
};
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUrl] }],
  jwks: { keys: [key('rsa', { modulusLength: 2048 }, 'RS256', 'rsa-1')] },
  cookies: { keys: ['interop'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: place === 'user-info',
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      sub: id, name: id, email: `${id}@example.com`, email_verified: !id.startsWith('unverified'),
    }),
  }),
});
provider.listen(Number(port), '127.0.0.1');
