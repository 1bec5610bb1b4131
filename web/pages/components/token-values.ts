export interface Token { name: string, value: string }

const isRoot = (rule: CSSRule): rule is CSSStyleRule =>
  rule instanceof CSSStyleRule && rule.selectorText === ':root'

/** @returns the custom properties that the page's own stylesheets define for the whole page, in their order */
export const readTokens = (): Token[] => [...document.styleSheets]
  .flatMap((sheet) => [...sheet.cssRules].filter(isRoot))
  .flatMap(({ style }) => [...style].filter((name) => name.startsWith('--'))
    .map((name) => ({ name, value: style.getPropertyValue(name).trim() })))
