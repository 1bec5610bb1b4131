import type { ComponentChildren } from 'preact'
import { readTokens, type Token } from './token-values'

type Shown = (token: Token) => ComponentChildren

const Colour = ({ name }: Token) =>
  <span class='sample swatch-sample' style={{ background: `var(${name})` }} />
const Space = ({ name }: Token) => <span class='sample space-sample' style={{ width: `var(${name})` }} />
const Type = ({ name }: Token) => <span style={{ fontSize: `var(${name})` }}>Steward asks before it acts</span>
const Radius = ({ name }: Token) => <span class='sample' style={{ borderRadius: `var(${name})` }} />
const Shadow = ({ name }: Token) => <span class='sample' style={{ boxShadow: `var(${name})` }} />
const Motion = ({ name }: Token) => <span class='track'><i style={{ animationDuration: `var(${name})` }} /></span>
const Face = ({ name }: Token) => <span style={{ fontFamily: `var(${name})` }}>0123456789 ABC abc</span>

const groups: [title: string, belongs: RegExp, show: Shown][] = [
  ['Type faces', /^--(font|mono)$/, Face],
  ['Type scale', /^--type-/, Type],
  ['Spacing', /^--space-/, Space],
  ['Corners', /^--radius/, Radius],
  ['Shadows', /^--shadow/, Shadow],
  ['Motion', /^--motion-/, Motion],
  ['Colours', /^--/, Colour]
]

const groupOf = ({ name }: Token) => groups.find(([, belongs]) => belongs.test(name))

interface GroupProps { group: typeof groups[number], tokens: Token[] }

const Group = ({ group: [title, , show], tokens }: GroupProps) => <section class='card stack tight' aria-label={title}>
  <h2>{title}</h2>
  <ul class='plain tokens'>
    {tokens.map((token) => <li key={token.name}>
      {show(token)}<code>{token.name}</code><span class='small muted'>{token.value}</span>
    </li>)}
  </ul>
</section>

/** The tokens of the stylesheet that this page uses, as they are in this theme. */
export const Tokens = () => {
  const tokens = readTokens()
  return (
    <>
      {groups.map((group) =>
        <Group key={group[0]} group={group} tokens={tokens.filter((token) => groupOf(token) === group)} />)}
    </>
  )
}
