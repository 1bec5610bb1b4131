import './marked-text.css'

export interface Mark {
  id: string
  /** Offsets in UTF-16 units, as the API counts. */
  start: number
  end: number
  tone: 'bad' | 'warn' | 'info'
  title: string
}

interface Piece { text: string, marks: Mark[] }

/** @returns the text in pieces, each with the marks that cover it; marks may overlap */
const cut = (text: string, marks: Mark[]): Piece[] => {
  const edges = [...new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])])]
    .filter((edge) => edge >= 0 && edge <= text.length).sort((a, b) => a - b)
  return edges.slice(0, -1).map((start, index) => {
    const end = edges[index + 1] ?? text.length
    return { text: text.slice(start, end), marks: marks.filter((mark) => mark.start <= start && mark.end >= end) }
  })
}

const tones = ['bad', 'warn', 'info'] as const
const worst = (marks: Mark[]) => tones.find((tone) => marks.some((mark) => mark.tone === tone))

interface Props { text: string, marks: Mark[], active?: string | undefined, onPick?: (id: string) => void }

/** A text with marks, whose titles give the reasons. */
export const MarkedText = ({ text, marks, active, onPick }: Props) => <div class='marked-text'>
  {cut(text, marks).map((piece, index) => piece.marks.length === 0
    ? piece.text
    : <mark
        key={index} tabIndex={-1} title={piece.marks.map(({ title }) => title).join('\n')}
        class={piece.marks.some(({ id }) => id === active) ? `${worst(piece.marks)} active` : worst(piece.marks)}
        data-marks={piece.marks.map(({ id }) => id).join(' ')} onClick={() => onPick?.(piece.marks[0]?.id ?? '')}
    >{piece.text}
    </mark>)}
</div>

/** Scrolls to a mark and focuses it. */
export const goToMark = (id: string): void => {
  const mark = document.querySelector<HTMLElement>(`mark[data-marks~="${CSS.escape(id)}"]`)
  mark?.scrollIntoView({ block: 'center' })
  mark?.focus({ preventScroll: true })
}
