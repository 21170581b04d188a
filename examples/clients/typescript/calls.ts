// Connects to a server, and repeats requests until they are answered.
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProtoGrpcType } from "./stub/taskmaster";
import type { LeaseReply__Output as LeaseReply } from "./stub/taskmaster/v1/LeaseReply";
import type { LeaseRequest } from "./stub/taskmaster/v1/LeaseRequest";
import type { TaskMasterClient } from "./stub/taskmaster/v1/TaskMaster";
import type { UpdateReply__Output as UpdateReply } from "./stub/taskmaster/v1/UpdateReply";
import type { UpdateRequest } from "./stub/taskmaster/v1/UpdateRequest";

const { TASKMASTER_SERVER = "127.0.0.1:7400", TASKMASTER_GROUP, TASKMASTER_CA, TASKMASTER_TOKEN_FILE } = process.env;
export const group = Buffer.from(TASKMASTER_GROUP ?? "");
const { UNAVAILABLE, RESOURCE_EXHAUSTED, UNKNOWN, DEADLINE_EXCEEDED } = grpc.status;
const REPEATED = [UNAVAILABLE, RESOURCE_EXHAUSTED, UNKNOWN, DEADLINE_EXCEEDED];

/** Returns a stub; over TLS if TASKMASTER_CA names a file with the authority, which a token needs. */
export function connect(): TaskMasterClient {
  // A lease id does not fit into a number of JavaScript, so 64-bit numbers are strings.
  const definition = grpc.loadPackageDefinition(loadSync("taskmaster.proto", { longs: String, defaults: true }));
  const { TaskMaster } = (definition as unknown as ProtoGrpcType).taskmaster.v1;
  // The largest reply and some room; and a connection is tried again after 5 s at most, not 2 minutes.
  const options = { "grpc.max_receive_message_length": 40 << 20, "grpc.max_reconnect_backoff_ms": 5_000 };
  return new TaskMaster(TASKMASTER_SERVER, credentials(), options);
}

function credentials(): grpc.ChannelCredentials {
  if (TASKMASTER_CA === undefined) return grpc.credentials.createInsecure();
  const tls = grpc.credentials.createSsl(readFileSync(TASKMASTER_CA));
  if (TASKMASTER_TOKEN_FILE === undefined) return tls;
  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${readFileSync(TASKMASTER_TOKEN_FILE, "ascii").trim()}`);
  const token = grpc.credentials.createFromMetadataGenerator((_, done) => done(null, metadata));
  return grpc.credentials.combineChannelCredentials(tls, token);
}

export function leaseTasks(stub: TaskMasterClient, request: LeaseRequest): Promise<LeaseReply> {
  return repeat((options, done) => stub.leaseTasks(request, options, done));
}

export function updateTasks(stub: TaskMasterClient, request: UpdateRequest): Promise<UpdateReply> {
  return repeat((options, done) => stub.updateTasks(request, options, done));
}

type Send<Reply> = (options: grpc.CallOptions, done: grpc.requestCallback<Reply>) => unknown;

/** Sends a request until there is a reply. Only for requests that are safe to repeat. */
async function repeat<Reply>(send: Send<Reply>): Promise<Reply> {
  for (let delay = 100; ; delay = Math.min(2 * delay, 5_000)) {
    try {
      const options = { deadline: Date.now() + 40_000 }; // more than the wait of a lease
      return await new Promise((resolve, reject) =>
        send(options, (error, reply) => (reply === undefined ? reject(error) : resolve(reply))));
    } catch (error) {
      if (!REPEATED.includes((error as grpc.ServiceError).code)) throw error;
    }
    await sleep(delay * (0.5 + Math.random()));
  }
}
