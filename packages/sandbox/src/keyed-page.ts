import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Outcome } from './wire.js'

/** A page is of one reader: its address cannot be guessed by another one, nor by other programs of this machine. */
export const keyOf = (secret: string, reader: string): string =>
  `${Buffer.from(reader).toString('base64url')}.${createHmac('sha256', secret).update(reader).digest('base64url')}`

/** @returns whose page it is; undefined when the key was not made here */
export const readerOf = (secret: string, key: string): string | undefined => {
  const reader = Buffer.from(key.split('.')[0] ?? '', 'base64url').toString()
  const [made, given] = [Buffer.from(keyOf(secret, reader)), Buffer.from(key)]
  return made.length === given.length && timingSafeEqual(made, given) ? reader : undefined
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:1rem;color:#1d1c1d;
background:#fff}h1{font-size:1.2rem}article{border:1px solid #767676;border-radius:8px;padding:.75rem 1rem;
margin:1rem 0;overflow-wrap:anywhere}article h2{font-size:1rem;margin:0 0 .5rem}pre{white-space:pre-wrap;font:inherit;
margin:0}form{display:inline}button,input,a.button{font:inherit;padding:.4rem .8rem;margin:.5rem .5rem 0 0;
min-height:44px;border:1px solid #767676;border-radius:6px;background:#fff;
color:#1d1c1d;box-sizing:border-box;vertical-align:middle}
a.button{display:inline-block;padding-top:.55rem;text-decoration:none}button.primary{background:#00623b;
color:#fff}button.danger{background:#b3123f;color:#fff}
.note{color:#4a4a4a}`

/** Looks for what has come meanwhile, and leaves alone what is being typed. */
const script = `setInterval(async()=>{const r=await fetch(location.href);if(!r.ok)return;
const d=new DOMParser().parseFromString(await r.text(),'text/html');const n=d.getElementById('received');
const o=document.getElementById('received');if(n&&o&&n.innerHTML!==o.innerHTML&&!o.contains(document.activeElement))
o.replaceWith(n)},2000)`

const hash = createHash('sha256').update(script).digest('base64')

/** @param head what stays while the rest is renewed; both are HTML */
export const page = (title: string, head: string, received: string): Outcome => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; ` +
      'connect-src \'self\'; form-action \'self\'; frame-ancestors \'none\'; base-uri \'none\''
  },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${style}</style><main><h1>${escapeHtml(title)}</h1>${head}
<div id="received">${received}</div></main><script>${script}</script></html>`
})

export const noPage = (): Outcome =>
  ({ status: 404, headers: { 'content-type': 'text/plain' }, body: 'There is no such page' })
