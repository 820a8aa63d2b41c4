"""The application: the API and, for callers on this machine, the inspect pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from planner.agent import Agent
from server.api import api_router
from server.limits import Limits
from server.settings import LOOPBACK, ServerSettings

DESCRIPTION = (
    "Talk with the shopping planner: open a session, send the shopper's messages, show the products that "
    "come back, and read what the planner believed."
)


def make_app(agent: Agent, settings: ServerSettings, *, pages: APIRouter | None = None) -> FastAPI:
    """Return the application.

    Args:
        agent: answers.
        settings: limits.
        pages: the inspect pages; without them it is the API alone.
    """
    app = FastAPI(
        title="Shopping planner",
        version="1",
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
    )
    app.include_router(api_router(agent, settings))
    templates = Environment(loader=PackageLoader("server"), autoescape=True, undefined=StrictUndefined)

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        """Describe the API: the OpenAPI document as a page."""
        operations = list(_operations(app.openapi()))
        return HTMLResponse(
            templates.get_template("api.html").render(
                operations=operations, settings=settings, description=DESCRIPTION, local=pages is not None
            )
        )

    app.mount("/static", StaticFiles(packages=[("server", "static")]), name="static")
    if pages is not None:
        app.include_router(pages)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _refused)
    app.add_middleware(Limits, settings=settings)
    if settings.is_local or settings.hosts:
        app.add_middleware(
            TrustedHostMiddleware, allowed_hosts=[*LOOPBACK, "[::1]", *settings.hosts], www_redirect=False
        )
    return app


async def _invalid(request: Request, error: Exception) -> Response:
    """Say in one line what is wrong with a request; nothing of it is sent back."""
    assert isinstance(error, RequestValidationError)
    return JSONResponse({"detail": _one_line(error.errors())}, 422)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"detail": str(error.detail)}, error.status_code, error.headers)


def _one_line(errors: Sequence[Mapping[str, Any]]) -> str:
    parts = []
    for error in errors:
        place = ".".join(str(part) for part in error["loc"] if part != "body")
        parts.append(f"{place}: {error['msg']}" if place else str(error["msg"]))
    return "; ".join(parts)


def _operations(document: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    """Return the operations of an OpenAPI document, with the fields of what they take and give."""
    schemas = document.get("components", {}).get("schemas", {})
    operations = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            answers = []
            for status, response in operation["responses"].items():
                answer = response.get("content", {}).get("application/json", {}).get("schema", {})
                answers.append((status, response["description"], _fields(answer, schemas)))
            operations.append(
                {
                    "method": method.upper(),
                    "path": path,
                    "text": operation.get("description", ""),
                    "parameters": [
                        (part["name"], part["in"], _kind(part["schema"]), part.get("description", ""))
                        for part in operation.get("parameters", [])
                    ],
                    "body": _fields(content.get("schema", {}), schemas),
                    "answers": answers,
                }
            )
    return operations


def _fields(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return name, type and meaning of each field of an object's schema."""
    for option in (schema, *schema.get("anyOf", ())):
        if "$ref" in option:
            schema = schemas[option["$ref"].rpartition("/")[2]]
            break
    return [
        (name, _kind(part), part.get("description", ""))
        for name, part in schema.get("properties", {}).items()
    ]


def _kind(schema: Mapping[str, Any]) -> str:
    """Return the type of a schema in a word or two."""
    if "anyOf" in schema:
        return " or ".join(_kind(option) for option in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "any"))
