import Program

/// The program `counterfoil-orders`; beyond its home it needs no configuration.
@main struct Orders: StatefulProgram {
    static func service(home: Home) throws -> OrdersService { OrdersService() }
}
