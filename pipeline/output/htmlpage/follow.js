'use strict';
// For a page that a server gives out: the browser loads the next one as soon as there
// is one, and keeps the view and the scroll position.

{
  const note = el('strong', {role: 'status'});
  document.getElementById('sum').append(note);
  const says = words => () => { note.textContent = words && ' · ' + words; };
  const events = new EventSource('/events?version=' + encodeURIComponent(document.currentScript.dataset.version));
  events.addEventListener('other', () => location.reload());
  events.addEventListener('current', says(''));
  events.addEventListener('old', says('This page is out of date: the terminal says why.'));
  events.addEventListener('error', says('This page may be out of date: promptc watch does not answer.'));
}
