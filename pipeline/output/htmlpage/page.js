'use strict';
// The views of the page. What prompts say reaches the document as text nodes only.
// An address is the view, its subject and its choices: #matrix/agent?x=mode&by=use.

const data = JSON.parse(document.getElementById('data').textContent);
const main = document.getElementById('main');
const prompts = new Map(data.prompts.map(p => [p.id, p]));
const variants = new Map();
for (const p of data.prompts) p.variants.forEach((v, i) => { v.of = p; v.i = i; variants.set(v.n, v); });

// ---- Words ----

const number = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
const signed = n => (n > 0 ? '+' : n < 0 ? '−' : '±') + number(Math.abs(n));
const plural = (n, noun) => number(n) + ' ' + (n === 1 ? noun : noun.endsWith('y') ? noun.slice(0, -1) + 'ies' : noun + 's');

// A budget reads as full only when it is.
function percent(part, whole) {
  if (!(whole > 0)) return '';
  let p = Math.round(100 * part / whole);
  if (p >= 100 && part < whole) p = 99;
  if (p <= 100 && part > whole) p = 101;
  if (p === 0 && part > 0) return '<1 %';
  return p + ' %';
}

// Characters that nobody sees, or that reorder a line, are shown by their number.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

// ---- Elements ----

function put(to, text) {
  let at = 0;
  for (const m of text.matchAll(hidden)) {
    to.append(text.slice(at, m.index), el('span', {class: 'hid'}, 'U+' + m[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0')));
    at = m.index + m[0].length;
  }
  to.append(at ? text.slice(at) : text);
}

function fill(to, kids) {
  for (const kid of kids.flat(Infinity)) {
    if (kid === null || kid === undefined || kid === false || kid === '') continue;
    if (kid instanceof Node) to.append(kid); else put(to, String(kid));
  }
  return to;
}

function make(node, attributes, kids) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
  }
  return fill(node, kids);
}

function el(tag, attributes, ...kids) { return make(document.createElement(tag), attributes, kids); }
function svg(tag, attributes, ...kids) { return make(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, kids); }

// A name of somebody else's stands apart, whatever direction it is written in.
// Long ones break where their parts end.
const name = text => el('bdi', {class: 'name'}, breaks(text));
const breaks = text => String(text).split(/(?<=[/,])/).map((part, i) => [i ? el('wbr') : null, part]);
const button = (text, click) => el('button', {type: 'button', click}, text);

// some shows the first of many and a button for more. Nothing is left out unsaid.
function some(all, step, show, into) {
  let at = 0;
  const more = button('', () => { const first = at; next(); const row = into.children[first]; if (row) { row.tabIndex = -1; row.focus(); } });
  const foot = el('p', {class: 'more'}, more);
  function next() {
    for (const end = Math.min(all.length, at + step); at < end; at++) into.append(show(all[at], at));
    foot.hidden = at >= all.length;
    more.textContent = 'Show ' + number(Math.min(step, all.length - at)) + ' more of ' + number(all.length - at) + ' not shown';
  }
  next();
  return foot;
}

const figures = ['Variants', 'Tokens', 'Changed', 'Growth', 'Slots', 'Share'];

function table(caption, heads, rows, step = 200) {
  const body = el('tbody');
  const foot = some(rows, step, row => el('tr', null, row.map((cell, i) => cell instanceof HTMLTableCellElement ? cell : el(i ? 'td' : 'th', i ? null : {scope: 'row'}, cell))), body);
  const head = el('thead', null, el('tr', null, heads.map(h => el('th', {scope: 'col', class: figures.includes(h) ? 'num' : null}, h))));
  return [el('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': caption}, el('table', null, el('caption', null, caption), head, body)), foot];
}
const figure = (...kids) => el('td', {class: 'num'}, kids);

// ---- Addresses ----

const escapePart = s => encodeURIComponent(s).replace(/%(2F|3D|2C|3A|40)/g, decodeURIComponent);
function address(view, subject, choices) {
  const set = Object.entries(choices || {}).filter(([, v]) => v !== undefined && v !== null && v !== '');
  return '#' + view + (subject === undefined || subject === '' ? '' : '/' + escapePart(String(subject))) +
    (set.length ? '?' + set.map(([k, v]) => encodeURIComponent(k) + '=' + escapePart(String(v)).replace(/=/g, '%3D')).join('&') : '');
}
function decode(s) { try { return decodeURIComponent(s); } catch { return s; } }
function here() {
  const [path, query] = location.hash.slice(1).split(/\?(.*)/s);
  const at = path.indexOf('/');
  const choices = {};
  for (const pair of (query || '').split('&')) {
    const [k, v] = pair.split(/=(.*)/s);
    if (k) choices[decode(k)] = decode(v || '');
  }
  return {view: decode(at < 0 ? path : path.slice(0, at)), subject: at < 0 ? '' : decode(path.slice(at + 1)), choices};
}
const link = (text, view, subject, choices) => el('a', {href: address(view, subject, choices)}, text instanceof Node ? text : name(text));
const go = (view, subject, choices) => { location.hash = address(view, subject, choices); };
const replace = to => { history.replaceState(null, '', to); show(false); };

function choose(label, options, value, pick) {
  const id = 'c' + (choose.n = (choose.n || 0) + 1);
  const select = el('select', {id, change: () => { choose.last = label; pick(select.value); }}, options.map(([v, text]) => el('option', {value: v, selected: v === value}, text)));
  return el('span', {class: 'choice'}, el('label', {for: id}, label), ' ', select);
}

// ---- Facts ----

const setting = v => data.settings[v.s];
const approx = v => setting(v).estimate ? '≈' : '';
function entriesOf(v) {
  const list = data.lists[v.l], out = [];
  for (let i = 0; i < list.length; i += 2) out.push({...data.entries[list[i]], tokens: list[i + 1]});
  return out;
}
const toolsOf = v => data.lists[v.t].map(i => data.tools[i]);
const textOf = v => entriesOf(v).flatMap(e => e.t).map(i => data.texts[i].t).join('');
const limits = v => [
  {what: 'tokens', used: v.u, slots: v.u - v.k, limit: setting(v).tokens, was: v.w && v.w.u},
  {what: 'characters', used: v.c, slots: 0, limit: setting(v).chars, was: v.w && v.w.c},
  {what: 'tool tokens', used: v.x || 0, slots: 0, limit: setting(v).tool_tokens, was: v.w && (v.w.x || 0)},
];
// share is how much of its tightest budget a variant uses, -1 without any.
const share = v => v.share ??= Math.max(-1, ...limits(v).filter(l => l.limit >= 0).map(l => l.limit ? l.used / l.limit : l.used ? 2 : 0));
const grade = v => { const s = share(v), at = setting(v).warn_at; return s < 0 ? 'none' : s > 1 ? 'over' : at && s >= at ? 'warn' : s >= 0.75 ? 'near' : 'ok'; };
const gradeWords = {none: 'no budget', over: 'over budget', warn: 'warning', near: 'above 75 %', ok: 'within budget'};
const inRuns = (runs, i) => { for (let k = 0; k < runs.length; k += 2) if (i >= runs[k] && i < runs[k] + runs[k + 1]) return true; return false; };
const grown = v => v.w ? v.u - v.w.u : null;
const isNew = v => data.compared && !v.w;

// What a change is for a variant: reached, missed and why, or nothing to do with it.
function reached(change, p, i) {
  for (const r of change.reach) {
    if (r.prompt !== p.id || r.of_base) continue;
    if (inRuns(r.in, i)) return 'reached';
    for (const m of r.missed || []) if (inRuns(m.in, i)) return m.why;
  }
  return '';
}

let uses; // of each entry: the first variant that has it, and how many do
function usesOf(i) {
  if (!uses) {
    uses = new Map();
    const lists = new Map();
    for (const v of variants.values()) {
      const met = lists.get(v.l);
      if (met) met.count++; else lists.set(v.l, {first: v, count: 1});
    }
    for (const [l, met] of lists) {
      const list = data.lists[l];
      for (let k = 0; k < list.length; k += 2) {
        const u = uses.get(list[k]);
        if (u) u.count += met.count; else uses.set(list[k], {first: met.first, at: k / 2, count: met.count});
      }
    }
  }
  return uses.get(i);
}

// ---- Views ----

const views = {overview, matrix, budgets, sections, text, changes, change, findings, search};
const titles = [['overview', 'Overview'], ['matrix', 'Matrix'], ['budgets', 'Budgets'], ['sections', 'Sections'], ['text', 'Text'], ['changes', 'Changes'], ['findings', 'Findings']];

function heading(...kids) { return el('h2', null, kids); }
const missing = (what, subject) => [heading('Not found'), el('p', null, 'This page has no ' + what + ' ', name(subject), '. ', link('Overview', 'overview'))];

const verdicts = {
  clean: 'The snapshots are up to date, and the project has no errors.', elsewhere: 'The project has no errors.', drift: 'The snapshots are out of date.',
  budget: 'Something is over its budget.', findings: 'The project has errors.', limit: 'The change exceeds a limit.', weaker: 'The change breaks an expectation or a check of the base.',
};
function verdict() {
  return verdicts[data.verdict === 'clean' && data.prompts.every(p => p.elsewhere) ? 'elsewhere' : data.verdict] || '';
}

function overview() {
  const rows = data.prompts.map(p => {
    const all = p.variants, use = all.map(v => v.u);
    const low = Math.min(...use), high = Math.max(...use);
    const tight = all.reduce((a, v) => share(v) > share(a) ? v : a, all[0]);
    return [
      link(p.id, 'matrix', p.id), figure(number(all.length)),
      figure(low === high ? number(low) : number(low) + ' to ' + number(high)),
      el('td', null, share(tight) < 0 ? 'no budget' : [el('span', {class: 'tag ' + grade(tight)}, percent(Math.round(share(tight) * 10000), 10000)), ' ', link(tight.n, 'budgets', p.id)]),
      data.compared ? figure(number(all.filter(v => v.d).length) + (p.removed ? ', ' + number(p.removed.length) + ' removed' : '')) : null,
      el('td', {class: 'from'}, p.place || ''),
    ].filter(Boolean);
  });
  const removed = data.prompts.filter(p => p.removed && p.removed.length);
  return [
    heading('Overview'), el('p', null, verdict()),
    (data.remarks || []).map(r => el('p', {class: 'remark'}, r)),
    table('Prompts', ['Prompt', 'Variants', 'Tokens', 'Closest to its limit', ...(data.compared ? ['Changed'] : []), 'Source'], rows),
    removed.map(p => el('details', null, el('summary', null, 'Removed from ', name(p.id)), el('ul', null, p.removed.map(n => el('li', null, name(n)))))),
  ];
}

function pick(p, view, choices) {
  if (data.prompts.length < 2) return null;
  return choose('Prompt', data.prompts.map(o => [o.id, o.id]), p.id, id => go(view, id, choices));
}
const promptNamed = id => id ? prompts.get(id) : data.prompts[0];

// filtered gives the variants that have the values of the choices f.AXIS.
function filtered(p, choices) {
  return p.axes.reduce((all, axis, i) => {
    const at = axis.values.indexOf(choices['f.' + axis.name]);
    return at < 0 ? all : all.filter(v => v.v[i] === at);
  }, p.variants);
}
function filters(p, axes, choices, view) {
  return axes.map(axis => choose(axis.name, [['', 'all'], ...axis.values.map(v => [v, v])], choices['f.' + axis.name] || '', v => go(view, p.id, {...choices, ['f.' + axis.name]: v})));
}

function matrix(id, choices) {
  const p = promptNamed(id);
  if (!p) return missing('prompt', id);
  const axisNamed = n => p.axes.find(a => a.name === n);
  const wide = [...p.axes].sort((a, b) => b.values.length - a.values.length);
  const y = axisNamed(choices.y) || wide[0], x = axisNamed(choices.x) !== y && axisNamed(choices.x) || wide.find(a => a !== y);
  const ways = [['use', 'use of the budget'], ['tokens', 'tokens'], ...(data.compared ? [['growth', 'growth against the base'], ['change', 'what a change reaches']] : [])];
  const by = ways.some(w => w[0] === choices.by) ? choices.by : p.variants.some(v => share(v) >= 0) ? 'use' : 'tokens';
  const k = Math.min(Math.max(Number(choices.k) || 1, 1), data.changes.length);
  const others = p.axes.filter(a => a !== x && a !== y);
  const all = filtered(p, Object.fromEntries(Object.entries(choices).filter(([c]) => others.some(a => c === 'f.' + a.name))));
  const set = (key, value) => go('matrix', p.id, {...choices, [key]: value});
  const cells = new Map();
  const xi = p.axes.indexOf(x), yi = p.axes.indexOf(y);
  for (const v of all) {
    const key = (yi < 0 ? 0 : v.v[yi]) + ' ' + (xi < 0 ? 0 : v.v[xi]);
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key).push(v);
  }
  const paint = painter(p, by, k);
  const columns = x ? x.values : [''], names = y ? y.values : [''];
  const shownColumns = choices.wide ? columns.length : Math.min(columns.length, 40);
  const rows = names.map((value, row) => [
    el('th', {scope: 'row', class: 'stay'}, y ? name(value) : name(p.id)),
    ...columns.slice(0, shownColumns).map((other, column) => {
      const in_ = cells.get(row + ' ' + column);
      if (!in_) return el('td', {class: 'void'}, el('span', {class: 'vh'}, 'not built'));
      const {level, text, more} = paint(in_);
      const narrow = {...choices, ...(y && {['f.' + y.name]: value}), ...(x && {['f.' + x.name]: other}), x: '', y: '', by: '', k: ''};
      const to = in_.length === 1 ? address('text', in_[0].n) : address('budgets', p.id, narrow);
      return el('td', {class: 'cell ' + level}, el('a', {href: to, title: in_.length === 1 ? in_[0].n : plural(in_.length, 'variant')}, el('b', null, text), more && el('small', null, more)));
    }),
  ]);
  return [
    heading('Matrix of ', name(p.id)),
    el('form', {class: 'choices', submit: e => e.preventDefault()}, pick(p, 'matrix', {by, k: choices.k}),
      p.axes.length > 1 && [choose('Rows', p.axes.map(a => [a.name, a.name]), y.name, v => go('matrix', p.id, {...choices, y: v, x: v === x.name ? y.name : x.name})),
        choose('Columns', p.axes.filter(a => a !== y).map(a => [a.name, a.name]), x.name, v => set('x', v))],
      choose('Show', ways, by, v => set('by', v)),
      by === 'change' && data.changes.length > 0 && choose('Change', data.changes.map((c, i) => [String(i + 1), (i + 1) + '  ' + c.what.slice(0, 90)]), String(k), v => set('k', v)),
      filters(p, others, choices, 'matrix')),
    el('p', {class: 'legend'}, paint.legend),
    table(plural(all.length, 'variant') + ' of ' + p.id + (y ? ', ' + y.name + (x ? ' by ' + x.name : '') : ''),
      [y ? name(y.name) : 'Prompt', ...columns.slice(0, shownColumns).map(v => x ? name(v) : 'Variant')], rows),
    shownColumns < columns.length && el('p', {class: 'more'}, button('Show ' + number(columns.length - shownColumns) + ' more columns', () => set('wide', '1'))),
    by === 'change' && data.changes.length > 0 && el('p', null, link('Change ' + k, 'change', k), ': ', name(data.changes[k - 1].what)),
  ];
}

const span = (low, high, write) => low === high ? write(low) : write(low) + ' to ' + write(high);
const swatch = (level, text) => el('span', {class: 'swatch ' + level}, text);

// painter says how a cell of some variants looks: its level and words.
function painter(p, by, k) {
  let out;
  const count = all => all.length > 1 ? plural(all.length, 'variant') : '';
  if (by === 'tokens') {
    const use = p.variants.map(v => v.u), low = Math.min(...use), high = Math.max(...use);
    out = all => {
      const mine = all.map(v => v.u), most = Math.max(...mine);
      return {level: 'heat' + (high === low ? 0 : Math.round(5 * (most - low) / (high - low))), text: approx(all[0]) + span(Math.min(...mine), most, number), more: count(all)};
    };
    out.legend = [swatch('heat0', number(low)), low < high && [swatch('heat2', ''), swatch('heat5', number(high))], ' tokens, slots at their maximum'];
  } else if (by === 'growth') {
    out = all => {
      const mine = all.map(grown).filter(n => n !== null);
      if (!mine.length) return {level: 'new', text: 'new', more: count(all)};
      const low = Math.min(...mine), high = Math.max(...mine);
      const changed = all.some(v => v.d);
      return {level: low < 0 && high > 0 ? 'mixed' : high > 0 ? 'grew' : low < 0 ? 'shrank' : changed ? 'same' : 'plain', text: changed ? span(low, high, signed) : '=', more: [changed && low === 0 && high === 0 ? 'text differs' : '', count(all)].filter(Boolean).join(', ')};
    };
    out.legend = [swatch('grew', '+ more tokens'), swatch('shrank', '− fewer'), swatch('same', '±0, text differs'), swatch('new', 'new'), swatch('plain', '= unchanged')];
  } else if (by === 'change') {
    out = all => {
      const says = all.map(v => data.changes.length ? reached(data.changes[k - 1], p, v.i) : '');
      const n = says.filter(s => s === 'reached').length, why = says.find(s => s && s !== 'reached');
      if (n === all.length) return {level: 'hit', text: '✓ reached', more: count(all)};
      if (n) return {level: 'part', text: '✓ ' + number(n) + ' of ' + number(all.length), more: why};
      return why ? {level: 'miss', text: '✗ not reached', more: why} : {level: 'plain', text: '–', more: count(all)};
    };
    out.legend = [swatch('hit', '✓ reached'), swatch('part', '✓ some'), swatch('miss', '✗ could have it and has not'), swatch('plain', '– nothing to do with it')];
  } else {
    out = all => {
      const worst = all.reduce((a, v) => share(v) > share(a) ? v : a, all[0]), s = share(worst);
      const use = all.map(v => v.u);
      return {level: grade(worst), text: s < 0 ? '–' : percent(Math.round(s * 10000), 10000), more: [approx(worst) + span(Math.min(...use), Math.max(...use), number), count(all)].filter(Boolean).join(', ')};
    };
    out.legend = [['ok', 'near', 'warn', 'over', 'none'].map(g => swatch(g, gradeWords[g])), ' share of the tightest budget, and tokens'];
  }
  return out;
}

// bar draws what is used of a limit: the text, what slots may add, where a warning
// begins, the limit, and what the base used.
function bar(l, warnAt) {
  const top = Math.max(l.limit >= 0 ? l.limit * 1.08 : 0, l.used, l.was || 0, 1), x = n => 100 * n / top;
  const says = number(l.used) + (l.limit >= 0 ? ' of ' + number(l.limit) : '') + ' ' + l.what + (l.slots ? ', ' + number(l.slots) + ' of them for slots' : '') +
    (l.limit >= 0 && warnAt ? ', warning at ' + number(Math.ceil(l.limit * warnAt)) : '') + (l.was !== undefined && l.was !== l.used ? ', base ' + number(l.was) : '');
  const over = l.limit >= 0 && l.used > l.limit, warn = l.limit >= 0 && warnAt && l.used >= l.limit * warnAt;
  const line = (n, kind) => svg('line', {x1: x(n), x2: x(n), y1: 0, y2: 10, class: kind});
  return svg('svg', {class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', role: 'img', 'aria-label': says},
    svg('title', null, says), svg('rect', {class: 'track', x: 0, y: 2, width: 100, height: 6}),
    svg('rect', {class: over ? 'over' : warn ? 'warn' : 'ok', x: 0, y: 2, width: x(l.used - l.slots), height: 6}),
    l.slots > 0 && svg('rect', {class: 'slots', x: x(l.used - l.slots), y: 2, width: x(l.slots), height: 6}),
    l.limit >= 0 && warnAt > 0 && line(l.limit * warnAt, 'at'), l.limit >= 0 && line(l.limit, 'limit'),
    l.was !== undefined && l.was !== l.used && line(l.was, 'was'));
}

function growthLimit(s) {
  return [s.growth >= 0 && Math.round(s.growth * 1000) / 10 + ' %', s.growth_tokens >= 0 && number(s.growth_tokens) + ' tokens'].filter(Boolean).join(', ');
}

function budgets(id, choices) {
  const p = promptNamed(id);
  if (!p) return missing('prompt', id);
  const order = choices.order || 'share';
  const all = [...filtered(p, choices)];
  if (order === 'share') all.sort((a, b) => share(b) - share(a) || b.u - a.u);
  if (order === 'tokens') all.sort((a, b) => b.u - a.u);
  if (order === 'growth') all.sort((a, b) => (grown(b) || 0) - (grown(a) || 0));
  const rows = all.map(v => {
    const s = setting(v), shown = limits(v).filter((l, i) => i === 0 || l.limit >= 0);
    const n = grown(v), most = growthLimit(s);
    return [
      [link(v.n, 'text', v.n), el('small', null, link('sections', 'sections', v.n))],
      el('td', {class: 'bars'}, shown.map(l => el('div', null, l.limit >= 0 && bar(l, s.warn_at), el('small', null,
        approx(v) + number(l.used) + (l.limit >= 0 ? ' of ' + number(l.limit) + ' ' + l.what + ' (' + percent(l.used, l.limit) + ')' : ' ' + l.what + ', no limit') +
        (l.slots ? '; slots at most ' + number(l.slots) : ''))))),
      el('td', null, el('span', {class: 'tag ' + grade(v)}, gradeWords[grade(v)])),
      data.compared ? figure(isNew(v) ? 'new' : signed(n) + (n && v.w.u ? ' (' + signed(Math.round(1000 * n / v.w.u) / 10) + ' %)' : ''), most && el('small', null, 'at most ' + most)) : null,
      el('td', {class: 'from'}, s.default ? 'default of phases' : s.place || '', s.warn_at > 0 && el('small', null, 'warns at ' + Math.round(s.warn_at * 100) + ' %')),
    ].filter(Boolean);
  });
  return [
    heading('Budgets of ', name(p.id)),
    el('form', {class: 'choices', submit: e => e.preventDefault()}, pick(p, 'budgets', {order: choices.order}),
      choose('Order', [['share', 'closest to the limit'], ['tokens', 'most tokens'], ...(data.compared ? [['growth', 'most growth']] : []), ['declared', 'as declared']], order, v => go('budgets', p.id, {...choices, order: v})),
      filters(p, p.axes, choices, 'budgets')),
    el('p', {class: 'legend'}, swatch('ok', 'text'), swatch('slots', 'slots at their maximum'), swatch('markwarn', 'warning'), swatch('marklimit', 'limit'), data.compared && swatch('markwas', 'base')),
    table(plural(all.length, 'variant') + ' of ' + p.id, ['Variant', 'Used', 'State', ...(data.compared ? ['Growth'] : []), 'Limit set at'], rows, 100),
  ];
}

// variantPicker chooses a variant by its values. Of values that are not built
// together, the nearest variant with the new one is taken.
function variantPicker(v, view) {
  const p = v.of;
  const nearest = (axis, value) => {
    const common = o => o.v.filter((n, i) => n === v.v[i]).length;
    return p.variants.filter(o => o.v[axis] === value).reduce((a, o) => !a || common(o) > common(a) ? o : a, null);
  };
  return el('form', {class: 'choices', submit: e => e.preventDefault()},
    data.prompts.length > 1 && choose('Prompt', data.prompts.map(o => [o.id, o.id]), p.id, id => go(view, prompts.get(id).variants[0].n)),
    p.axes.map((axis, i) => choose(axis.name, axis.values.flatMap((value, k) => p.variants.some(o => o.v[i] === k) ? [[String(k), value]] : []), String(v.v[i]), k => go(view, nearest(i, Number(k)).n))));
}
const variantNamed = n => n ? variants.get(n) || (prompts.get(n) || {variants: []}).variants[0] : data.prompts[0] && data.prompts[0].variants[0];

function factsOf(v) {
  const s = setting(v);
  return el('p', {class: 'facts'}, approx(v) + plural(v.u, 'token'), s.tokens >= 0 ? ' of ' + number(s.tokens) + ' (' + percent(v.u, s.tokens) + ')' : '',
    v.u !== v.k ? '; text ' + number(v.k) + ', slots ' + number(v.u - v.k) : '', v.x ? '; tools ' + number(v.x) : '', '; ' + plural(v.c, 'character'),
    s.context > 0 ? '; context ' + number(s.context) : '', '; ' + s.counter, s.dialect ? '; ' + s.dialect : '',
    v.w ? '; base ' + number(v.w.u) + (v.w.n ? ' as ' : '') : '', v.w && v.w.n ? name(v.w.n) : '');
}

// squarify puts boxes side by side so that they come near to squares.
function squarify(items, x, y, w, h) {
  const out = [], total = items.reduce((n, i) => n + i.size, 0);
  const rest = items.filter(i => i.size > 0).sort((a, b) => b.size - a.size).map(i => ({...i, area: i.size * w * h / total}));
  while (rest.length) {
    const side = Math.min(w, h), row = [];
    let sum = 0;
    const worst = (area, all) => Math.max(...all.map(i => Math.max(side * side * i.area / (area * area), area * area / (side * side * i.area))));
    while (rest.length && (!row.length || worst(sum + rest[0].area, [...row, rest[0]]) <= worst(sum, row))) { sum += rest[0].area; row.push(rest.shift()); }
    const deep = sum / side;
    let at = 0;
    for (const i of row) {
      const long = i.area / deep;
      out.push(w >= h ? {...i, x, y: y + at, w: deep, h: long} : {...i, x: x + at, y, w: long, h: deep});
      at += long;
    }
    if (w >= h) { x += deep; w -= deep; } else { y += deep; h -= deep; }
  }
  return out;
}

function tile(box, v) {
  const inner = box.items && box.w > 90 && box.h > 60;
  const fits = box.w > 34 && box.h > 16;
  const g = svg('g', {class: 'tile ' + box.kind, click: e => { e.stopPropagation(); go('text', v.n, {at: box.at}); }},
    svg('title', null, box.label + ': ' + plural(box.size, 'token') + (box.from ? ', ' + box.from : '')),
    svg('rect', {x: box.x + 1, y: box.y + 1, width: Math.max(0, box.w - 2), height: Math.max(0, box.h - 2)}));
  if (fits) {
    // A line that is too long loses its folders, then its end. What letters wider than most
    // take beyond that, the box cuts off.
    const line = (text, dy, kind) => {
      const most = Math.max(2, Math.floor((box.w - 10) / (kind === 'label' ? 7.8 : 6.5)));
      const short = text.length > most ? text.replace(/^\S*\//, '…/') : text;
      const said = short.length > most ? short.slice(0, most - 1) + '…' : short;
      g.append(svg('svg', {x: box.x + 6, y: box.y, width: Math.max(0, box.w - 8), height: box.h - 2}, svg('text', {x: 0, y: dy, class: kind}, said)));
    };
    line(inner ? box.label + '  ' + number(box.size) : box.label, 17, 'label');
    if (!inner && box.h > 36) line(number(box.size), 33, 'size');
    if (!inner && box.h > 54 && box.w > 140 && box.from) line(box.from, 49, 'size');
  }
  if (inner) {
    for (const part of squarify(box.items, box.x + 4, box.y + 23, box.w - 8, box.h - 27)) g.append(tile({...part, kind: box.kind + ' item', at: box.at}, v));
  }
  return g;
}

function sections(n) {
  const v = variantNamed(n);
  if (!v) return missing('variant', n);
  const all = entriesOf(v), tools = toolsOf(v);
  const boxes = all.flatMap((e, i) => {
    const items = (e.m || []).map(t => data.tools[t]).map(t => ({label: t.n, size: t.k, from: t.f}));
    const known = items.reduce((sum, t) => sum + t.size, 0);
    if (items.length && e.tokens > known) items.push({label: 'the rest', size: e.tokens - known});
    return [{label: e.n, size: e.tokens, from: e.f, kind: 'section', at: i, items: items.length ? items : null}, {label: e.n + ', slots at most', size: e.s || 0, kind: 'slotbox', at: i}];
  }).concat(tools.map((t, i) => ({label: t.n, size: t.k, from: t.f, kind: 'tool', at: 't' + i})));
  const total = v.u + (v.x || 0);
  // Drawn as wide as the page is, so that its letters are as large as all others.
  const w = Math.max(300, Math.min(1240, innerWidth - (innerWidth > 700 ? 40 : 24))), most = Math.round(w > 600 ? w * 0.46 : w * 1.3);
  const h = Math.min(most, 80 + 80 * boxes.filter(b => b.size > 0).length);
  const rows = all.map((e, i) => [
    link(e.n, 'text', v.n, {at: i}), el('td', null, [e.r, e.i].filter(Boolean).join(', ') || 'section'), figure(number(e.tokens)),
    figure(e.s ? '+' + number(e.s) : ''), figure(percent(e.tokens + (e.s || 0), total)), el('td', {class: 'from'}, e.f || ''),
  ]).concat(tools.map((t, i) => [link(t.n, 'text', v.n, {at: 't' + i}), 'tool', figure(number(t.k)), figure(''), figure(percent(t.k, total)), el('td', {class: 'from'}, t.f || '')].map(c => c instanceof Node ? c : el('td', null, c)).map((c, i) => i || c instanceof HTMLTableCellElement ? c : el('th', {scope: 'row'}, c))));
  return [
    heading('Sections of ', name(v.n)), variantPicker(v, 'sections'), factsOf(v),
    el('p', {class: 'legend'}, swatch('section', 'section'), tools.length > 0 && swatch('tool', 'tool beside the text'), boxes.some(b => b.kind === 'slotbox' && b.size) && swatch('slotbox', 'what slots may add'), ' The area is the number of tokens. The table below has the same.'),
    el('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Treemap'}, svg('svg', {class: 'map', viewBox: '0 0 ' + w + ' ' + h, role: 'img', 'aria-label': 'Treemap of ' + v.n + '. The table below has the same.'}, squarify(boxes, 0, 0, w, h).map(b => tile(b, v)))),
    table('Sections and tools of ' + v.n, ['Section', 'Kind', 'Tokens', 'Slots', 'Share', 'Source'], rows),
    notes(v),
  ];
}

function notes(v) {
  const all = data.lists[v.o].map(i => data.notes[i]);
  return all.length > 0 && [el('h3', null, 'Also'), el('dl', {class: 'notes'}, all.map(([what, says]) => el('div', null, el('dt', null, what), el('dd', null, says))))];
}

const longText = 60000;

// written shows a text with its slots. Of a very long one it shows the beginning.
function written(text, slots, into, whole) {
  const end = !whole && text.length > longText * 1.5 ? longText : text.length;
  let at = 0;
  for (let i = 0; i < slots.length && slots[i] < end; i += 2) {
    put(into, text.slice(at, slots[i]));
    into.append(el('mark', {class: 'slot'}, text.slice(slots[i], slots[i + 1])));
    at = slots[i + 1];
  }
  put(into, text.slice(at, Math.max(at, end)));
  if (end === text.length) return;
  const more = button('Show ' + number(text.length - end) + ' more characters', () => { into.replaceChildren(); written(text, slots, into, true); });
  into.append(el('span', {class: 'cut'}, more));
}

function copier(label, text) {
  return button(label, async e => {
    const said = document.getElementById('live');
    try {
      await navigator.clipboard.writeText(text());
      said.textContent = 'Copied.';
      e.target.textContent = 'Copied';
    } catch {
      const area = el('textarea', {class: 'vh', 'aria-hidden': 'true'});
      area.value = text();
      document.body.append(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      said.textContent = e.target.textContent = done ? 'Copied' : 'This browser does not let the page copy: select the text instead';
    }
    setTimeout(() => { e.target.textContent = label; }, 2000);
  });
}

function text(n, choices) {
  const v = variantNamed(n);
  if (!v) return missing('variant', n);
  const points = data.lists[v.p], all = entriesOf(v), out = [];
  const mark = i => { for (let k = 0; k < points.length; k += 2) if (points[k] === i) out.push(el('p', {class: 'point'}, 'cache breakpoint: ' + plural(points[k + 1], 'token') + ' before it')); };
  all.forEach((e, i) => {
    mark(i);
    const pre = el('pre', {class: 'body'});
    e.t.forEach((t, k) => {
      // The line breaks that part it from what is before take one mark, not lines.
      const breaks = k ? 0 : data.texts[t].t.match(/^\n*/)[0].length;
      if (breaks) pre.append(el('span', {class: 'join', title: plural(breaks, 'line break')}, '↵'.repeat(breaks)));
      written(data.texts[t].t.slice(breaks), (data.texts[t].s || []).map(n => n - breaks), pre);
    });
    const state = v.y ? i + 1 < v.y ? ' stable' : i + 1 === v.y ? ' turns' : ' volatile' : '';
    out.push(el('div', {class: 'part' + state, id: 'part-' + i, tabindex: -1}, el('h3', null, name(e.n),
      el('small', null, [e.r, e.i, plural(e.tokens, 'token') + (e.s ? ' and up to ' + number(e.s) + ' for slots' : ''), e.f, i + 1 === v.y && 'may change from one request to the next from here on'].filter(Boolean).join(' · '))), pre));
  });
  mark(all.length);
  const tools = toolsOf(v);
  return [
    heading('Text of ', name(v.n)), variantPicker(v, 'text'), factsOf(v),
    el('p', {class: 'choices'}, copier('Copy the text', () => textOf(v)), ' ', link('Sections', 'sections', v.n), ' ', link('Matrix', 'matrix', v.of.id)),
    el('p', {class: 'legend'}, all.some(e => e.t.some(t => data.texts[t].s)) && el('mark', {class: 'slot'}, '{{slot}}'), v.y ? [swatch('markstable', 'the same in each request'), swatch('markvolatile', 'may change from request to request')] : ''),
    all.length ? out : el('p', null, 'This variant has no text.'),
    tools.length > 0 && [el('h3', null, plural(tools.length, 'tool') + ' beside the text'), tools.map((t, i) => {
      const pre = el('pre', {class: 'body'});
      written(data.texts[t.t].t, [], pre);
      return el('details', {class: 'part', id: 'part-t' + i, open: choices.at === 't' + i}, el('summary', {tabindex: 0}, name(t.n), el('small', null, plural(t.k, 'token') + (t.f ? ' · ' + t.f : ''))), pre);
    })],
    notes(v),
  ];
}

// pieces shows a line whose parts differ by turns.
const pieces = parts => parts.map((p, i) => i % 2 ? el('b', null, p) : p);
const sign = {'-': 'gone', '+': 'came', ' ': 'moved'};
const spoken = {'-': 'removed: ', '+': 'added: ', ' ': 'moved: '};

function lines(hunk, side) {
  const body = el('tbody');
  const row = (cells, line) => el('tr', null, cells.map(l => l ? el('td', {class: sign[l[0]], colspan: line ? 2 : null}, el('span', {class: 'sign', 'aria-hidden': 'true'}, l[0]), el('span', {class: 'vh'}, spoken[l[0]]), pieces(l.slice(1))) : el('td', {class: 'void'})));
  const rows = [];
  if (!side) hunk.lines.forEach(l => rows.push([[l], false]));
  else {
    for (let i = 0; i < hunk.lines.length;) {
      let gone = i;
      while (gone < hunk.lines.length && hunk.lines[gone][0] === '-') gone++;
      let came = gone;
      while (came < hunk.lines.length && hunk.lines[came][0] === '+') came++;
      for (let k = 0; k < Math.max(gone - i, came - gone); k++) rows.push([[i + k < gone ? hunk.lines[i + k] : null, gone + k < came ? hunk.lines[gone + k] : null], false]);
      if (came === i) { rows.push([[hunk.lines[i]], true]); came++; }
      i = came;
    }
  }
  const foot = some(rows, 400, ([cells, whole]) => row(cells, whole), body);
  return el('div', {class: 'hunk'}, hunk.title && el('p', {class: 'title'}, hunk.title),
    el('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Lines' + (hunk.title ? ' at ' + hunk.title : '')}, el('table', {class: side ? 'side' : 'inline'}, body)), foot);
}

function changeBox(c, i, side, level) {
  const shownIn = [...new Set(c.reach.filter(r => !r.of_base && r.in.length && prompts.has(r.prompt)).map(r => r.prompt))];
  return el('article', {class: 'change ' + c.tone, id: 'change-' + (i + 1)},
    el(level, null, el('a', {href: address('change', i + 1, {as: side ? 'side' : ''})}, String(i + 1)), ' ', name(c.what), c.size && el('small', null, c.size)),
    c.source && el('p', {class: 'from'}, c.source),
    c.reaches.map(r => el('p', {class: 'reach'}, r)),
    shownIn.length > 0 && el('p', {class: 'reach'}, 'In the matrix of ', shownIn.map((id, k) => [k ? ', ' : '', link(id, 'matrix', id, {by: 'change', k: i + 1})])),
    (c.leaves || []).map(l => el('div', {class: 'leaf'}, el('p', {class: 'title'}, l.path), el('table', {class: side ? 'side' : 'inline'}, el('tbody', null,
      side ? el('tr', null, el('td', {class: 'gone'}, pieces(l.from)), el('td', {class: 'came'}, pieces(l.to))) :
        [['-', l.from], ['+', l.to]].filter(([, parts]) => parts.join('') !== '').map(([s, parts]) => el('tr', null, el('td', {class: sign[s]}, el('span', {class: 'sign', 'aria-hidden': 'true'}, s), el('span', {class: 'vh'}, spoken[s]), pieces(parts)))))), l.told && el('p', null, 'They look the same: ' + l.told))),
    (c.hunks || []).map(h => lines(h, side)));
}

const sideToggle = (side, view, subject) => choose('Lines', [['', 'one below the other'], ['side', 'side by side']], side ? 'side' : '', v => go(view, subject, {as: v}));
const noBase = () => [heading('Changes'), el('p', null, 'This page was made without a base. To see what changed, make it with '), el('pre', {class: 'body'}, 'promptc report --base HEAD')];

function changes(_, choices) {
  if (!data.compared) return noBase();
  const box = el('div'), side = choices.as === 'side';
  const foot = some(data.changes, 50, (c, i) => changeBox(c, i, side, 'h3'), box);
  return [
    heading('Changes'), el('p', null, plural(data.changes.length, 'change') + ' from ', name(data.base), ' to ', name(data.head), '. Each stands here once, however many variants it reaches.'),
    data.changes.length > 0 && el('form', {class: 'choices', submit: e => e.preventDefault()}, sideToggle(side, 'changes')), box, foot,
    data.idle.length > 0 && [el('h3', null, 'Changed without an effect'), table('Files', ['File', 'What happened'], data.idle.map(i => [name(i.path), i.says]))],
  ];
}

function change(n, choices) {
  if (!data.compared) return noBase();
  const i = Number(n) - 1, c = data.changes[i], side = choices.as === 'side';
  if (!c) return missing('change', n);
  return [
    heading('Change ' + (i + 1) + ' of ' + number(data.changes.length)),
    el('form', {class: 'choices', submit: e => e.preventDefault()}, i > 0 && link('Previous', 'change', i, choices), i + 1 < data.changes.length && link('Next', 'change', i + 2, choices), link('All changes', 'changes', '', choices), sideToggle(side, 'change', n)),
    changeBox(c, i, side, 'h3'),
    c.reach.filter(r => r.missed).map(r => table('Not reached in ' + r.prompt, ['Variant', 'Why'],
      r.missed.flatMap(m => { const out = [], p = prompts.get(r.prompt); for (let k = 0; p && !r.of_base && k < m.in.length; k += 2) for (let j = m.in[k]; j < m.in[k] + m.in[k + 1]; j++) out.push([link(p.variants[j].n, 'text', p.variants[j].n), m.why]); return out; }))),
  ];
}

function findingBox(f) {
  return el('article', {class: 'finding ' + f.level}, el('h3', null, el('span', {class: 'tag ' + f.level}, f.level), ' ', name(f.rule), ' ', breaks(f.lines[0])),
    f.place && el('p', {class: 'from'}, f.place, f.prompts && f.prompts.length > 0 && [' · ', f.prompts.map((id, i) => [i ? ', ' : '', prompts.has(id) ? link(id, 'matrix', id) : name(id)])]),
    f.source && el('pre', {class: 'body', tabindex: 0, role: 'group', 'aria-label': 'line ' + f.number}, f.source + '\n', el('span', {class: 'caret', 'aria-hidden': 'true'}, f.caret)),
    f.lines.slice(1).map(l => el('p', null, l)));
}

function findings(_, choices) {
  const level = choices.level || '', box = el('div');
  const rank = ['error', 'warning', 'note'];
  const all = data.findings.filter(f => !level || f.level === level).sort((a, b) => rank.indexOf(a.level) - rank.indexOf(b.level));
  const foot = some(all, 100, findingBox, box);
  return [
    heading('Findings'), el('p', null, verdict(), data.off ? ' ' + plural(data.off, 'finding') + ' turned off under checks.' : ''),
    data.findings.length > 0 && el('form', {class: 'choices', submit: e => e.preventDefault()}, choose('Severity', [['', 'all'], ...rank.map(l => [l, l + ' (' + number(data.findings.filter(f => f.level === l).length) + ')'])], level, v => go('findings', '', {level: v}))),
    all.length ? box : el('p', null, 'There are no findings' + (level ? ' of this severity.' : '.')), foot,
  ];
}

function excerpt(text, at, length) {
  const from = Math.max(0, at - 60), to = Math.min(text.length, at + length + 100);
  return el('span', {class: 'excerpt'}, (from ? '…' : '') + text.slice(from, at), el('mark', null, text.slice(at, at + length)), text.slice(at + length, to) + (to < text.length ? '…' : ''));
}

function search(query) {
  const field = document.getElementById('q');
  if (field !== document.activeElement) field.value = query; // somebody who types may be further already
  const q = query.trim().toLowerCase();
  if (!q) return [heading('Search'), el('p', null, 'Type a name, a word of a text, a code or a file.')];
  const has = s => (s || '').toLowerCase().includes(q);
  const group = (title, all, show) => {
    if (!all.length) return null;
    const list = el('ul', {class: 'hits'});
    const foot = some(all, 30, (...x) => el('li', null, show(...x)), list);
    return [el('h3', null, title + ' (' + number(all.length) + ')'), list, foot];
  };
  const found = new Map(); // of texts, where they match
  data.texts.forEach((t, i) => { const at = t.t.toLowerCase().indexOf(q); if (at >= 0) found.set(i, at); });
  const parts = data.entries.map((e, i) => [e, i]).filter(([e, i]) => usesOf(i) && (has(e.n) || has(e.f) || e.t.some(t => found.has(t))));
  const named = [...variants.values()].filter(v => has(v.n));
  const tools = data.tools.filter(t => has(t.n) || found.has(t.t));
  const out = [
    group('Prompts', data.prompts.filter(p => has(p.id)), p => link(p.id, 'matrix', p.id)),
    group('Changes', data.changes.map((c, i) => [c, i]).filter(([c]) => has(c.what) || has(c.source) || (c.hunks || []).some(h => h.lines.some(l => has(l.slice(1).join(''))))), ([c, i]) => [link('change ' + (i + 1), 'change', i + 1), ' ', name(c.what)]),
    group('Findings', data.findings.filter(f => has(f.rule) || has(f.place) || f.lines.some(has)), f => [link(f.rule, 'findings', '', {level: f.level}), ' ', f.lines[0], ' ', el('small', null, f.place)]),
    group('Sections and texts', parts, ([e, i]) => {
      const u = usesOf(i), t = e.t.find(t => found.has(t));
      return [link(e.n, 'text', u.first.n, {at: u.at}), el('small', null, ' ' + plural(u.count, 'variant') + ', ' + u.first.n + (e.f ? ' · ' + e.f : '')), t !== undefined && excerpt(data.texts[t].t, found.get(t), q.length)];
    }),
    group('Tools and items', tools, t => [name(t.n), el('small', null, ' ' + plural(t.k, 'token') + (t.f ? ' · ' + t.f : ''))]),
    group('Variants', named, v => link(v.n, 'text', v.n)),
  ].filter(Boolean);
  return [heading('Search: ', name(query)), out.length ? out : el('p', null, 'Nothing found.')];
}

// ---- The page ----

function show(moves) {
  const {view, subject, choices} = here();
  const known = Object.hasOwn(views, view);
  const now = known ? view : 'overview';
  const asked = choose.last;
  choose.last = '';
  main.replaceChildren();
  fill(main, [view && !known ? missing('view', view) : views[now](subject, choices)]);
  const title = main.querySelector('h2');
  document.title = title.textContent + ' · Prompts';
  const current = now === 'change' ? 'changes' : now;
  for (const a of document.querySelectorAll('#nav a')) { if (a.dataset.view === current) a.setAttribute('aria-current', 'page'); else a.removeAttribute('aria-current'); }
  if (!moves) return;
  document.getElementById('live').textContent = title.textContent;
  const part = choices.at !== undefined && document.getElementById('part-' + choices.at);
  if (part) { (part.querySelector('summary') || part).focus(); part.scrollIntoView(); return; }
  // Whoever chose in a view goes on there; whoever followed a link starts at its top.
  const field = asked && [...main.querySelectorAll('.choice')].find(c => c.firstChild.textContent === asked);
  if (field) { field.querySelector('select').focus(); return; }
  if (now !== 'search') main.focus({preventScroll: true});
  scrollTo(0, 0);
}

function start() {
  const total = variants.size;
  const count = level => data.findings.filter(f => f.level === level).length;
  fill(document.getElementById('sum'), [[
    plural(data.prompts.length, 'prompt') + ', ' + plural(total, 'variant'),
    ['error', 'warning', 'note'].map(l => [l, count(l)]).filter(([, n]) => n).map(([l, n]) => plural(n, l)).join(', ') || 'no findings',
    data.compared && plural(data.changes.length, 'change') + ' from ' + data.base + ' to ' + data.head,
  ].filter(Boolean).join(' · ')]);
  fill(document.getElementById('nav'), [el('ul', null, titles.filter(([v]) => v !== 'changes' || data.compared).map(([v, t]) => el('li', null, el('a', {href: '#' + v, 'data-view': v}, t,
    v === 'changes' ? ' ' + number(data.changes.length) : v === 'findings' && data.findings.length ? ' ' + number(data.findings.length) : ''))))]);
  const q = document.getElementById('q');
  let timer;
  const look = () => {
    const to = address('search', q.value);
    if (here().view === 'search') replace(to); else location.hash = to;
  };
  q.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, 150); });
  document.getElementById('find').addEventListener('submit', e => { e.preventDefault(); clearTimeout(timer); look(); main.focus(); });
  document.addEventListener('keydown', e => {
    if (e.key === '/' && !e.ctrlKey && !e.metaKey && !e.altKey && !/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) { e.preventDefault(); q.focus(); }
  });
  addEventListener('hashchange', () => show(true));
  show(false);
}

start();
