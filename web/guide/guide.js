// The theme that was chosen in the client, before anything is drawn; and on a phone a closed list of pages.
const theme = localStorage.getItem('steward-theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

addEventListener('DOMContentLoaded', () => {
  const list = document.querySelector('details')
  if (list) list.open = matchMedia('(min-width: 60rem)').matches
})
