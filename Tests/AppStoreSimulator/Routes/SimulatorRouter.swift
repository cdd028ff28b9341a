import AppStoreSigning
import HTTPTypes
import Hummingbird

/// Everything that the simulator offers over HTTP.
enum SimulatorRouter {
    private typealias Handler = @Sendable (StoreCall) async throws -> Response
    private typealias Routes = [(method: HTTPRequest.Method, path: RouterPath, handler: Handler)]

    private static var serverAPI: Routes {
        [
            (.get, "v1/transactions/:transactionId", { try await $0.transaction() }),
            (.put, "v1/transactions/:transactionId/appAccountToken", { try await $0.setAppAccountToken() }),
            (.get, "v2/history/:transactionId", { try await $0.history() }),
            (.get, "v2/refund/lookup/:transactionId", { try await $0.refunds() }),
            (.get, "v1/subscriptions/:transactionId", { try await $0.subscriptionStatuses() }),
            (.put, "v1/subscriptions/extend/:transactionId", { try await $0.extendRenewalDate() }),
            (.put, "v2/transactions/consumption/:transactionId", { try await $0.consumption() }),
            (.post, "v1/notifications/history", { try await $0.notificationHistory() }),
            (.post, "v1/notifications/test", { try await $0.testNotification() }),
            (.get, "v1/notifications/test/:token", { try await $0.testNotificationStatus() }),
        ]
    }

    private static var control: Routes {
        [
            (.get, "root.der", { .bytes($0.store.signers.genuine.rootDER, type: "application/pkix-cert") }),
            (.get, "forms", { _ in try .json(["forms": SignedForm.all.map(FormAnswer.init)]) }),
            (.post, "purchases", { try await $0.buy() }),
            (.post, "refunds", { try await $0.refund() }),
            (.post, "events", { try await $0.event() }),
            (.post, "receipts", { try await $0.refreshReceipt() }),
            (.post, "apps", { try await $0.setApp() }),
            (.post, "keys", { try await $0.registerKey() }),
            (.post, "server-notifications", { try await $0.setEndpoint() }),
            (
                .post, "server-notifications/:notificationUUID/repeat",
                { try await $0.repeatServerNotification() }
            ),
            (
                .get, "consumption",
                {
                    try .json([
                        "answers": await $0.store.consumption.answers(about: $0.query("transactionId"))
                    ])
                }
            ),
            (.post, "faults", { try await $0.addFault() }),
            (.get, "faults", { try .json(["faults": await $0.store.faults.entries]) }),
            (.delete, "faults", { try await $0.removeFaults() }),
            (.delete, "faults/:faultId", { try await $0.removeFault() }),
            (.get, "calls", { try .json(["calls": await $0.store.requests.lines]) }),
            (.post, "revocations", { try await $0.revokeCertificate() }),
            (.get, "revocations", { try .json(["questions": await $0.store.revocations.questions]) }),
        ]
    }

    /// Apple's two hosts, under `/production` and `/sandbox`, and the control interface under `/_control`.
    static func router(for store: SimulatedStore) -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.add(middleware: RequestLogMiddleware(log: store.requests, now: store.now))
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: FaultMiddleware(faults: store.faults, now: store.now, pause: store.pause))
        router.get("livez") { _, _ in Response(status: .ok) }
        add([(.post, "ocsp", { try await $0.ocsp() })], of: store, to: router.group())
        add(control, of: store, to: router.group("_control"))
        for environment in StoreEnvironment.allCases {
            let host = router.group(RouterPath(environment.path))
            add(
                [(.post, "verifyReceipt", { try await $0.verifyReceipt() })],
                of: store,
                in: environment,
                to: host
            )
            for method in [.get, .put, .delete, .patch] as [HTTPRequest.Method] {
                add([(method, "verifyReceipt", { try $0.answer(.notPosted) })], of: store, to: host)
            }
            let api = host.group("inApps").add(middleware: BearerMiddleware(store: store))
            add(serverAPI, of: store, in: environment, to: api)
            // Apple's sandbox does not offer it.
            let lookup: Routes = [(.get, "v1/lookup/:orderId", { try await $0.lookUpOrder() })]
            if environment == .production { add(lookup, of: store, to: api) }
        }
        return router
    }

    private static func add(
        _ routes: Routes,
        of store: SimulatedStore,
        in environment: StoreEnvironment = .production,
        to group: RouterGroup<SimulatorContext>
    ) {
        for (method, path, handler) in routes {
            group.on(path, method: method) { request, context in
                try await handler(
                    StoreCall(store: store, environment: environment, request: request, context: context)
                )
            }
        }
    }
}
