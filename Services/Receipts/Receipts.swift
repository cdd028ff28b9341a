import Program

/// The program `counterfoil-receipts`: Apple's facts, in partitions by buyer and by original transaction id.
@main struct Receipts: StatefulProgram {
    static func service(home: Home) throws -> ReceiptsService {
        ReceiptsService(try ReceiptsConfiguration(home: home))
    }
}
