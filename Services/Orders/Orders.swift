import Program

/// The program `counterfoil-orders`; it needs no configuration but its home.
@main struct Orders: StatefulProgram {
    static func service(home: Home) throws -> OrdersService { OrdersService() }
}
