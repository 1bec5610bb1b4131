/** Levels of arrays and objects; deeper, a value would exhaust the stack of those who walk it. */
export const maxDepth = 64

/** Looks through JSON before it is parsed, in time that is proportional to its length. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 92) i++
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if ((code === 91 || code === 123) && ++depth > maxDepth) return true
    else if (code === 93 || code === 125) depth--
  }
  return false
}
