import Foundation
import TestTraits
import Testing

/// The adapter and the sample cannot be built here: their types are checked against stubs of Apple's modules.
@Suite(.ownThread) struct `Apple's side of the kit` {
    /// Stubs first, then the kit with its adapter as one module, as apps have it.
    private static let modules = """
        for stub in StoreKit Security Network Combine SwiftUI; do
            swiftc -emit-module -parse-as-library -swift-version 6 -enable-upcoming-feature InternalImportsByDefault \\
                -module-name $stub -I . -o $stub.swiftmodule "$ROOT/Tests/ClientTests/Stubs/$stub.swift"
        done
        swiftc -emit-module -parse-as-library -swift-version 6 -warnings-as-errors -package-name client \\
            -module-name CounterfoilClient -I . -o CounterfoilClient.swiftmodule \\
            "$ROOT"/Shared/Client/*.swift "$ROOT"/Shared/ClientStoreKit/*.swift
        """

    @Test func `The adapter and the sample have the right types, and a wrong one is found`() throws {
        try Shell.withFolder { folder in
            let sample = "swiftc -typecheck -parse-as-library -swift-version 6 -warnings-as-errors -I . "
            let place = "ROOT='\(Shell.root.path(percentEncoded: false))'\n"
            try Shell.run(place + Self.modules, in: folder)
            let path = "\"$ROOT/deploy/examples/clients/swiftui/ShopApp.swift\""
            try Shell.run(place + sample + path, in: folder)
            let change = "s/enterForeground()/enterForeground(1)/"
            let wrong = "sed '\(change)' \(path) >Wrong.swift\n"
            #expect(throws: Shell.Failed.self) {
                try Shell.run(place + wrong + sample + "Wrong.swift", in: folder)
            }
        }
    }
}
