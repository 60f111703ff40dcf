#!/usr/bin/env node
// model.js - a model that says what a script tells it to, for tests with real agents.
//
//   node model.js SCRIPT LOG
//
// Speaks the Anthropic Messages protocol on a port of 127.0.0.1, which is the first line it
// prints.  It ends when its standard input does.
//
// SCRIPT is a JSON file, a list of steps.  Every request of an agent's main loop gets the next
// one; when none is left, the last one again.  A step may have
//
//   "text"      what the model says
//   "tools"     what it calls then: [{"name": "Write", "input": {...}}, ...]
//   "status"    an HTTP error instead of an answer: 401, 429, 529, ...
//   "retry"     seconds for the header retry-after of that error
//   "wait"      a file that must be there before the answer begins
//   "hang"      true: there is never an answer; "text" if any is said before
//
// Requests that agents make beside their work (titles, summaries, quota checks) carry no tools,
// and get a harmless answer.  LOG gets one line of JSON for each request: its number, kind
// ("main", "side", "count", "other"), method, path, the step it got, and its body.
'use strict';

const fs = require('fs');
const http = require('http');

const POLL_MS = 20;
const PIECE = 40; // characters of a streamed text at a time

const [script_file, log_file] = process.argv.slice(2);
if (!log_file) {
	process.stderr.write('usage: node model.js SCRIPT LOG\n');
	process.exit(2);
}
const steps = JSON.parse(fs.readFileSync(script_file, 'utf8'));
let requests = 0;
let taken = 0;

function log(entry) {
	fs.appendFileSync(log_file, JSON.stringify(entry) + '\n');
}

// The main loop offers tools and asks for more than a word.  A request that continues the
// conversation only to guess what the person will type next has the tools, too.
function kind_of(path, body) {
	if (path.endsWith('/count_tokens'))
		return 'count';
	if (!path.endsWith('/messages') || !body)
		return 'other';
	if (!Array.isArray(body.tools) || body.tools.length === 0 || body.max_tokens <= 1)
		return 'side';
	return /\[SUGGESTION MODE/.test(last_text(body)) ? 'side' : 'main';
}

function last_text(body) {
	const content = (body.messages.at(-1) || {}).content || '';

	if (typeof content === 'string')
		return content;
	return content.filter((block) => block.type === 'text').map((block) => block.text).join('\n');
}

function json(res, status, value, headers) {
	res.writeHead(status, {'content-type': 'application/json', ...headers});
	res.end(JSON.stringify(value));
}

function refuse(res, step) {
	const types = {400: 'invalid_request_error', 401: 'authentication_error',
		429: 'rate_limit_error', 529: 'overloaded_error'};
	const headers = step.retry === undefined ? {} : {'retry-after': String(step.retry)};

	json(res, step.status, {type: 'error', error: {type: types[step.status] || 'api_error',
		message: step.text || `error ${step.status}`}}, headers);
}

function blocks_of(step, number) {
	const blocks = step.text ? [{type: 'text', text: step.text}] : [];

	(step.tools || []).forEach((tool, i) => blocks.push({type: 'tool_use',
		id: `toolu_${number}_${i}`, name: tool.name, input: tool.input || {}}));
	return blocks;
}

function message(body, step, number) {
	return {id: `msg_${number}`, type: 'message', role: 'assistant', model: body.model,
		content: blocks_of(step, number), stop_sequence: null,
		stop_reason: step.tools ? 'tool_use' : 'end_turn',
		usage: {input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0,
			output_tokens: 7}};
}

function event(res, type, rest) {
	res.write(`event: ${type}\ndata: ${JSON.stringify({type, ...rest})}\n\n`);
}

// An empty block, the pieces that fill it.
function block_parts(block) {
	if (block.type === 'text') {
		const pieces = block.text.match(new RegExp(`[^]{1,${PIECE}}`, 'gu')) || [];

		return [{type: 'text', text: ''}, pieces.map((text) => ({type: 'text_delta', text}))];
	}
	return [{...block, input: {}},
		[{type: 'input_json_delta', partial_json: JSON.stringify(block.input)}]];
}

function stream(res, answer, hang) {
	res.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
	event(res, 'message_start', {message: {...answer, content: [], stop_reason: null,
		usage: {...answer.usage, output_tokens: 1}}});
	answer.content.forEach((block, index) => {
		const [empty, deltas] = block_parts(block);

		event(res, 'content_block_start', {index, content_block: empty});
		deltas.forEach((delta) => event(res, 'content_block_delta', {index, delta}));
		event(res, 'content_block_stop', {index});
	});
	if (hang)
		return;
	event(res, 'message_delta', {delta: {stop_reason: answer.stop_reason, stop_sequence: null},
		usage: {output_tokens: answer.usage.output_tokens}});
	event(res, 'message_stop', {});
	res.end();
}

function reply(res, body, step, number) {
	const answer = message(body, step, number);

	if (step.status)
		refuse(res, step);
	else if (body.stream)
		stream(res, answer, step.hang);
	else if (!step.hang)
		json(res, 200, answer);
}

function reply_when_due(res, body, step, number) {
	if (res.destroyed)
		return;
	if (step.wait && !fs.existsSync(step.wait))
		setTimeout(reply_when_due, POLL_MS, res, body, step, number);
	else
		reply(res, body, step, number);
}

function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

function answer_request(req, res, text) {
	const path = req.url.split('?')[0];
	const body = parse(text);
	const kind = kind_of(path, body);
	const number = ++requests;
	const entry = {number, kind, method: req.method, path: req.url, body};

	if (kind === 'main')
		entry.step = Math.min(taken++, steps.length - 1);
	log(entry);
	if (kind === 'main')
		reply_when_due(res, body, steps[entry.step], number);
	else if (kind === 'side')
		reply(res, body, {text: '{"title": "A task"}'}, number);
	else if (kind === 'count')
		json(res, 200, {input_tokens: 10});
	else
		json(res, req.method === 'GET' ? 404 : 200, {});
}

const server = http.createServer((req, res) => {
	const chunks = [];

	req.on('data', (chunk) => chunks.push(chunk));
	req.on('end', () => answer_request(req, res, Buffer.concat(chunks).toString('utf8')));
});

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
