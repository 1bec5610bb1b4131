import './diff.css'

/** `@@ -12,7 +12,8 @@`: the line numbers of the next lines. */
const Where = ({ line }: { line: string }) => {
  const [, before, after] = /^@@ -(\d+)\S* \+(\d+)/.exec(line) ?? []
  return <span class='line where'>{before === after ? `Line ${after}` : `Line ${before}, now ${after}`}</span>
}

const Line = ({ line }: { line: string }) => {
  const text = line.slice(1)
  switch (line[0]) {
    case '@': return <Where line={line} />
    case '+': return <ins class='line'><span class='unseen'>added: </span><i aria-hidden='true'>+</i>{text}</ins>
    case '-': return <del class='line'><span class='unseen'>removed: </span><i aria-hidden='true'>−</i>{text}</del>
    case '\\': return <span class='line where'>{text.trim()}</span>
    default: return <span class='line'><i aria-hidden='true' />{text}</span>
  }
}

/** The diff of a long text, line by line. Signs mark the changes; colors only repeat them. */
export const UnifiedDiff = ({ text, label }: { text: string, label: string }) => <div
  class='diff unified' tabIndex={0} role='region' aria-label={label}
>{text.split('\n').map((line, index) => <Line key={index} line={line} />)}
</div>
