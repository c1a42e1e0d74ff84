"""Sends metrics of every step to an HTTP server that takes its time to answer."""

import http.client
import json
import multiprocessing
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import torch
from common import done, running
from nets import gpt, next_token_loss, tokens


class Metrics(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.15)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


def send_metrics(**metrics):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.request("POST", "/metrics", json.dumps(metrics))
    connection.getresponse().read()
    connection.close()


server = HTTPServer(("127.0.0.1", 0), Metrics)
serving = multiprocessing.get_context("fork").Process(target=server.serve_forever, daemon=True)
serving.start()
net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    loss = next_token_loss(net, tokens())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    send_metrics(step=steps, loss=loss.item())
    steps += 1
serving.terminate()
done(steps)
