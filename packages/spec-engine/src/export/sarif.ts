import type { CheckReport, Finding } from '../schemas/checks.js'

const levels = { error: 'error', warn: 'warning', info: 'note' } as const

/** @returns the number of the first line of the target's requirement, story or section, or of the title */
const lineOf = (lines: readonly string[], target: string): number => {
  const name = target.replace(/^sections\./, '').replaceAll('_', ' ')
  const id = /^[A-Z]+-\d+/.exec(name)?.[0]
  const at = lines.findIndex((line) => id === undefined
    ? line.toLowerCase() === `## ${name}`
    : new RegExp(`^(?:#+ |- \\*{0,2})${id}\\b`).test(line))
  return Math.max(at, 0) + 1
}

const resultOf = (finding: Finding, uri: string, lines: readonly string[]) => ({
  ruleId: finding.rule_id,
  level: levels[finding.severity],
  message: { text: `${finding.target}: ${finding.message}` },
  locations: [{
    physicalLocation: { artifactLocation: { uri }, region: { startLine: lineOf(lines, finding.target) } },
    logicalLocations: [{ fullyQualifiedName: finding.target }]
  }],
  partialFingerprints: { 'finding/v1': finding.finding_id },
  suppressions: finding.status === 'waived' ? [{ kind: 'external', status: 'accepted' }] : []
})

/**
 * Renders the findings of a version's checks as SARIF 2.1.0 (OASIS), which code hosts show beside the lines.
 * @param uri of the spec's Markdown, which the line numbers refer to
 */
export const toSarif = (checks: CheckReport | null, uri: string, markdown: string): string => {
  const lines = markdown.split('\n')
  const findings = checks?.findings.filter(({ status }) => status !== 'fixed') ?? []
  const rules = [...new Set(findings.map(({ rule_id: id }) => id))].sort().map((id) => ({ id }))
  return `${JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{
      tool: { driver: { name: 'Steward', version: checks?.engine_version, rules } },
      results: findings.map((finding) => resultOf(finding, uri, lines))
    }]
  }, null, 2)}\n`
}
