"""Lets schemathesis ask a running group everything that the gateway's OpenAPI document allows, and much that it forbids.

No answer may be a 5xx, none may be undocumented, and what the document allows must not be refused as malformed.
Usage: http_interface.py FOLDER-OF-THE-PROGRAMS SECONDS
"""

import json
import os
import subprocess
import sys
import urllib.request

import yaml

# The rules of the house read every file here.
sys.dont_write_bytecode = True
import programs  # noqa: E402

# What must hold of every answer.
ANSWERS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "missing_required_header", "allow_header_conformance",
]
# Equal runs ask alike, so that a change is judged by itself; another number asks otherwise.
SEED = "1"
# That what the document allows is taken, and nothing else: in ASCII, because texts are bounded in bytes, which a schema
# cannot say of other characters.
STRICTNESS = ["positive_data_acceptance", "negative_data_rejection"]
# 413 is a refusal, too; only Apple can sign what is taken as a notification, or knows the secret of version 1, and only a
# ledger that has entries has a next page.
CONFIGURATION = """
[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 422]
positive_data_acceptance.expected-statuses = ["2xx", 404, 409]

[[operations]]
include-path = "/v1/apple/server-notifications"

[operations.checks]
positive_data_acceptance.expected-statuses = ["2xx", 403, 422]

[[operations]]
include-path = "/v1/buyers/{buyerId}/ledger"

[operations.checks]
positive_data_acceptance.expected-statuses = ["2xx", 422]
"""


def narrowed(document, home):
    """The document as the one app of a home may use it: an unknown product or entitlement is no fault of it."""
    with open(os.path.join(home, "counterfoil.json")) as file:
        app = json.load(file)["apps"][0]
    with open(os.path.join(home, "catalog.json")) as file:
        catalog = json.load(file)["products"]
    products = [product["productId"] for product in catalog]
    counted = sorted({grant["entitlement"] for product in catalog for grant in product["grants"] if "amount" in grant})
    schemas = document["components"]["schemas"]
    for parameter in document["paths"]["/v1/buyers/{buyerId}/orders"]["get"]["parameters"]:
        if parameter.get("name") == "productId":
            # Of a product that the catalog does not know there may be parked orders.
            parameter["schema"] = dict(schemas["ProductID"])
    schemas["BundleID"] = {"enum": [app["bundleId"]]}
    schemas["ProductID"] = {"enum": products}
    schemas["NewWalletEntry"]["properties"]["entitlement"] = {"enum": counted}
    for body in ["NewOrder", "NewWalletEntry"]:
        environments = [*app.get("environments", ["Production", "Sandbox"]), None]
        schemas[body]["properties"]["environment"] = {"enum": environments}
    return document, app["keys"][0]["secret"]


def main(binaries, seconds):
    def path(name):
        return os.path.join(binaries, name)

    with programs.folder() as state:
        home, root, port = os.path.join(state, "home"), os.path.join(state, "root.der"), programs.free_port()
        subprocess.run([path("counterfoil-load"), "--appstore-state", state, "--write-root", root], check=True)
        subprocess.run(
            [path("counterfoil"), "init", "--test", "--home", home, "--listen", f"127.0.0.1:{port}",
             "--extra-root", root], check=True, stdout=subprocess.DEVNULL,
        )
        gateway, log = f"http://127.0.0.1:{port}", os.path.join(state, "up.log")
        with programs.program(path("counterfoil"), "up", "--home", home, log=log) as group:
            programs.wait_for("the group", group, log, 60, lambda: programs.answers(f"{gateway}/readyz"))
            with urllib.request.urlopen(f"{gateway}/openapi.yaml", timeout=30) as answer:
                document, key = narrowed(yaml.safe_load(answer), home)
            file = os.path.join(state, "openapi.json")
            with open(file, "w") as output:
                json.dump(document, output)
            with open(os.path.join(state, "schemathesis.toml"), "w") as output:
                output.write(CONFIGURATION)
            return max(ask(state, gateway, key, checks, codec, seconds // 2) for checks, codec in [
                (ANSWERS, "utf-8"), (ANSWERS + STRICTNESS, "ascii"),
            ])


def ask(state, gateway, key, checks, codec, seconds):
    """One run of schemathesis; its exit code."""
    print(f"== texts in {codec}: {', '.join(checks)}", flush=True)
    return subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "schemathesis"), "--no-color", "run", "openapi.json",
         "--url", gateway, "--header", f"Authorization: Bearer {key}", "--checks", ",".join(checks),
         "--phases", "examples,coverage,fuzzing", "--generation-codec", codec, "--max-time", str(seconds),
         "--workers", "1", "--seed", SEED, "--continue-on-failure", "--warnings", "off"],
        cwd=state,
    ).returncode


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(os.path.abspath(sys.argv[1]), int(sys.argv[2])))
    except programs.Failure as failure:
        sys.exit(f"FAILED {failure}")
