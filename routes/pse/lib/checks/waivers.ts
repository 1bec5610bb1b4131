import type { Finding } from '../../../../schemas/pse/checks.js'
import type { Source } from '../engine/material.js'

/** What people have waived: the input that does, by rule and target; without a target it is for every one. */
export class Waivers {
  readonly #held: Map<string, string>

  /** @param fixed names of rules of standards that nobody may waive */
  constructor (inputs: readonly Source[], now: Date, private readonly fixed: ReadonlySet<string>) {
    this.#held = new Map(inputs
      .filter(({ kind, superseded, about }) => kind === 'waiver' && !superseded && about?.rule_id !== undefined &&
        (!about.expires_at || new Date(about.expires_at) > now))
      .map(({ about, input_id: id }) => [`${about?.rule_id} ${about?.target ?? ''}`, id]))
  }

  /** @returns the input that waives the rule for the target */
  find (rule: string, target: string): string | undefined {
    // That a rule must be met cannot be waived where the rule itself cannot.
    if (this.fixed.has(rule) || (rule === 'PSE306' && this.fixed.has(target))) return undefined
    return this.#held.get(`${rule} ${target}`) ?? this.#held.get(`${rule} `)
  }

  apply (finding: Finding): Finding {
    const id = this.find(finding.rule_id, finding.target)
    return id === undefined ? finding : { ...finding, status: 'waived', waiver_input_id: id }
  }
}
