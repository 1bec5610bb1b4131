/**
 * Test files that neither the database nor the version of Node decides: they read the sources, compute with numbers and
 * keys, or ask a sandbox alone. Of CI's two passes of the suite, one has them. What reads texts is in both: what
 * letters are, each Node has from another Unicode.
 */
export const runsOnce = (file: string): boolean =>
  /^(guards|upgrade)\/|^db\/queries\.|^lib\/(policies|record)\/|^sandbox\/(anthropic|aws|codehost|control)\b/.test(file)
