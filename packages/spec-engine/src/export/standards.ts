import type { ResolvedStandard } from '../schemas/standards.js'
import { bullets, inline, join, section } from './text.js'

type Rule = ResolvedStandard['rules'][number]

const ruleText = ({ rule_id, level, title, statement }: Rule): string =>
  `**${rule_id}** (${level}): ${inline(statement || title)}`

/** Leaves out rules that are switched off. */
const rulesOf = ({ rules }: ResolvedStandard): string =>
  bullets(rules.filter(({ severity }) => severity !== 'off').map(ruleText))

const bodyOf = ({ body_markdown: body }: ResolvedStandard): string => body.trim()

/** Renders a spec's standards as spec-kit's constitution, `.specify/memory/constitution.md`. */
export const toConstitution = (title: string, standards: readonly ResolvedStandard[]): string => join([
  `# ${inline(title)} Constitution`,
  '## Core Principles',
  ...standards.map((standard) => section(standard.title, join([bodyOf(standard), rulesOf(standard)]).trim(), 3) ||
    `### ${inline(standard.title)}`),
  section('Governance', bullets(standards.map(({ key, version }) => `${key}, version ${version}`)))
])

/** Renders a standard as a steering file that Kiro always reads. */
export const toSteering = (standard: ResolvedStandard): string => join([
  '---\ninclusion: always\n---',
  `# ${inline(standard.title)}`,
  bodyOf(standard),
  section('Rules', rulesOf(standard))
])
