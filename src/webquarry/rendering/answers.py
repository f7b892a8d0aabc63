"""What the browser gets for a request."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """A body and its type."""

    body: bytes
    content_type: str

    def to_params(self, request: str) -> dict[str, Any]:
        """The parameters of `Fetch.fulfillRequest`."""
        # Without the second header fonts of another host are refused; nothing here needs a same-origin rule.
        headers = {"Content-Type": self.content_type, "Access-Control-Allow-Origin": "*"}
        return {
            "requestId": request,
            "responseCode": 200,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
            "body": b64encode(self.body).decode("ascii"),
        }
