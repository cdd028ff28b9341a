import HTTPTypes
import Hummingbird

/// Everything that the simulator can be asked over HTTP.
enum SimulatorRouter {
    /// Apple's two hosts, under `/production` and `/sandbox`, and the control interface under `/_control`.
    static func router(for store: SimulatedStore) -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.add(middleware: CallMiddleware(calls: store.calls, now: store.now))
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: FaultMiddleware(faults: store.faults, now: store.now, pause: store.pause))
        router.get("livez") { _, _ in Response(status: .ok) }
        OCSPRoutes(store: store).add(to: router)
        for environment in StoreEnvironment.allCases {
            addHost(environment, of: store, to: router)
        }
        addControl(of: store, to: router)
        return router
    }

    private static func addHost(
        _ environment: StoreEnvironment,
        of store: SimulatedStore,
        to router: Router<SimulatorContext>
    ) {
        let host = router.group(RouterPath(environment.path))
        VerifyReceiptRoutes(store: store, environment: environment).add(to: host)
        let api = host.group("inApps").add(middleware: BearerMiddleware(store: store))
        TransactionsRoutes(store: store, environment: environment).add(to: api)
        HistoryRoutes(store: store, environment: environment).add(to: api)
        RefundHistoryRoutes(store: store, environment: environment).add(to: api)
        SubscriptionsRoutes(store: store, environment: environment).add(to: api)
        ExtensionRoutes(store: store, environment: environment).add(to: api)
        ConsumptionRoutes(store: store, environment: environment).add(to: api)
        NotificationHistoryRoutes(store: store, environment: environment).add(to: api)
        TestNotificationRoutes(store: store, environment: environment).add(to: api)
        // Apple's sandbox does not offer it.
        if environment == .production { OrderLookupRoutes(store: store).add(to: api) }
    }

    private static func addControl(of store: SimulatedStore, to router: Router<SimulatorContext>) {
        let control = router.group("_control")
        RootRoutes(store: store).add(to: control)
        PurchasesRoutes(store: store).add(to: control)
        RefundsRoutes(store: store).add(to: control)
        EventsRoutes(store: store).add(to: control)
        ReceiptsRoutes(store: store).add(to: control)
        AppsRoutes(store: store).add(to: control)
        KeysRoutes(store: store).add(to: control)
        EndpointsRoutes(store: store).add(to: control)
        ConsumptionAnswersRoutes(store: store).add(to: control)
        FaultsRoutes(store: store).add(to: control)
        CallsRoutes(store: store).add(to: control)
        OCSPRoutes(store: store).addControl(to: control)
    }
}
