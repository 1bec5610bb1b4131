import type { ResolvedStandard } from '../../../../schemas/pse/standards.js'
import { bullets, inline, join, section } from './text.js'

type Rule = ResolvedStandard['rules'][number]

const ruleText = ({ rule_id, level, title, statement }: Rule): string =>
  `**${rule_id}** (${level}): ${inline(statement || title)}`

/** Rules that are switched off bind nobody. */
const rulesOf = ({ rules }: ResolvedStandard): string =>
  bullets(rules.filter(({ severity }) => severity !== 'off').map(ruleText))

const bodyOf = ({ body_markdown: body }: ResolvedStandard): string => body.trim()

/** The standards that hold for a spec, as spec-kit keeps what a project goes by: `.specify/memory/constitution.md`. */
export const toConstitution = (title: string, standards: readonly ResolvedStandard[]): string => join([
  `# ${inline(title)} Constitution`,
  '## Core Principles',
  ...standards.map((standard) => section(standard.title, join([bodyOf(standard), rulesOf(standard)]).trim(), 3) ||
    `### ${inline(standard.title)}`),
  section('Governance', bullets(standards.map(({ key, version }) => `${key}, version ${version}`)))
])

/** One of them as Kiro keeps it: a steering file that is always read. */
export const toSteering = (standard: ResolvedStandard): string => join([
  '---\ninclusion: always\n---',
  `# ${inline(standard.title)}`,
  bodyOf(standard),
  section('Rules', rulesOf(standard))
])
