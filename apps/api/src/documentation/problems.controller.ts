import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '#domain/errors.js';
import { acceptedType } from '../http/accepted-type.js';
import { isErrorCode, problemList, problemPage, type Page } from './problem-pages.js';

/** The pages behind the `type` of every problem. */
@Controller('problems')
export class ProblemsController {
  @Get()
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(request, reply, problemList());
  }

  @Get(':code')
  show(
    @Param('code') code: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    if (!isErrorCode(code)) throw new ProblemError('not_found', 'There is no such error code.');
    sendPage(request, reply, problemPage(code));
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): void {
  const type = acceptedType(request.headers.accept, ['text/html', 'text/markdown']) ?? 'text/html';
  void reply
    .headers({
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=300',
      vary: 'Accept',
    })
    .send(type === 'text/html' ? page.html : page.markdown);
}
