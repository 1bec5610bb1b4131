import { sanitizeCode } from './sanitize'
import { say } from '../texts/say'

/** Characters; longer code stays without colours, which would hold up the page. */
const longest = 40_000

const colour = async (code: HTMLElement, language: string): Promise<void> => {
  const text = code.textContent
  if (text.length > longest) return
  const { highlight } = await import('./highlight')
  const html = highlight(text, language)
  // Meanwhile the block may have been drawn anew, with another text.
  if (html !== undefined && code.textContent === text) code.innerHTML = sanitizeCode(html)
}

const copyButton = (code: HTMLElement): HTMLElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet small'
  button.textContent = say('copy.verb')
  button.addEventListener('click', () => {
    // Without HTTPS browsers offer no clipboard.
    const done = navigator.clipboard?.writeText(code.textContent.replace(/\n$/, '')) ?? Promise.reject(new Error('no clipboard'))
    done.then(() => { button.textContent = say('copy.done') }, () => { button.textContent = say('copy.select') })
    setTimeout(() => { button.textContent = say('copy.verb') }, 2_000)
  })
  return button
}

const headOf = (code: HTMLElement, language: string): HTMLElement => {
  const head = document.createElement('div')
  head.className = 'code-head'
  const name = document.createElement('span')
  name.textContent = language
  head.append(name, copyButton(code))
  return head
}

/**
 * Gives each block of code in sanitized HTML its language, a button that copies it, and colours, and lets the keyboard
 * scroll what is too wide.
 */
export const furnish = (block: HTMLElement): void => {
  for (const table of block.querySelectorAll('table')) table.tabIndex = 0
  for (const code of block.querySelectorAll<HTMLElement>('pre > code')) {
    const pre = code.parentElement
    if (!pre || pre.parentElement?.className === 'code-block') continue
    const language = /^language-(.+)$/.exec(code.className)?.[1] ?? ''
    const frame = document.createElement('div')
    frame.className = 'code-block'
    pre.replaceWith(frame)
    pre.tabIndex = 0
    frame.append(headOf(code, language), pre)
    if (language !== '') void colour(code, language)
  }
}
