/** @returns the values of an attribute in HTML, as a browser reads them */
const valuesOf = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&#x26;', '&').replaceAll('&amp;', '&'))

/**
 * @param site where the rendering is shown, if that is known there
 * @returns what does not resolve in a rendering: links to ids that are not there once, addresses without a host
 */
export const deadLinks = (html: string, site?: string): string[] => {
  const ids = valuesOf(html, 'id')
  const hrefs = [...valuesOf(html, 'href'), ...valuesOf(html, 'src')]
  const isThere = (name: string) => ids.filter((id) => id === name).length === 1
  // As the HTML standard has it: first the fragment as it is written, then decoded.
  const isLed = (name: string) => isThere(name) || isThere(decodeURIComponent(name))
  return [
    ...hrefs.filter((href) =>
      href.startsWith('#') ? !isLed(href.slice(1)) : !URL.canParse(href, site)),
    ...valuesOf(html, 'aria-describedby').filter((id) => !isThere(id)),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `twice: ${id}`)
  ]
}

/** A text with every kind of link. */
export const everyLink = `Notes[^f1], again[^f1], and a [heading](#how-it-works), [the second](#how-it-works-1),
another note[^größe], an [umlaut](#fr%C3%BCher), a [dead one](#nowhere), the [site](/pricing?a=1&b=2),
[another page](other#part), an [address](https://docs.example.com/a#b), <https://docs.example.com/c>,
https://docs.example.com/d, [mail][m], [by name][docs], ![image](https://docs.example.com/a.png) and ![own](/b.png).

## How it works

Text[^f2].

## How it works

More.

### Früher

Then.

[m]: mailto:desk@example.com
[docs]: https://docs.example.com/e "Title"
[^f1]: A source, <https://docs.example.com/f>, with a [heading](#how-it-works).
[^f2]: Two

    paragraphs.
[^größe]: Third.
`
